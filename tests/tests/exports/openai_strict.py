"""Reads tools from standard input, by document: {"name": {"responses": [...], "chat": [...]}}.

The transformations to strict of `openai` and `openai-agents` must leave every schema unchanged, with all
keys in the same order; every tool must be valid for the types of `openai`.
"""

import copy
import json
import sys

import pydantic
from agents.strict_schema import ensure_strict_json_schema
from openai.lib._pydantic import _ensure_strict_json_schema
from openai.types.chat import ChatCompletionFunctionToolParam
from openai.types.responses import FunctionToolParam

RESPONSES = pydantic.TypeAdapter(FunctionToolParam)
CHAT = pydantic.TypeAdapter(ChatCompletionFunctionToolParam)


def by_openai(schema):
    return _ensure_strict_json_schema(schema, path=(), root=schema)


def by_agents(schema):
    return ensure_strict_json_schema(schema, _reject_open_objects=True)


def check(where, schema):
    before = json.dumps(schema)
    for transformation in (by_openai, by_agents):
        after = json.dumps(transformation(copy.deepcopy(schema)))
        if after != before:
            sys.exit(f"{where}: {transformation.__name__} changes\n  {before}\nto\n  {after}")


count = 0
for document, exports in json.load(sys.stdin).items():
    assert len(exports["responses"]) == len(exports["chat"])
    for responses, chat in zip(exports["responses"], exports["chat"]):
        where = f"{document}, {responses['name']}"
        RESPONSES.validate_python(responses, strict=True)
        CHAT.validate_python(chat, strict=True)
        assert responses["strict"] is True and chat["function"]["strict"] is True, where
        assert responses["parameters"] == chat["function"]["parameters"], where
        check(where, responses["parameters"])
        count += 1
print(f"{count} tools, unchanged")
