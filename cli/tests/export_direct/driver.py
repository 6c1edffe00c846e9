"""Makes the calls that come as lines `[script, function, arguments]`, and answers each with a line."""

import importlib.util
import json
import os
import sys

# What libraries print is no answer.
answers = os.fdopen(os.dup(1), 'w')
os.dup2(2, 1)
functions = {}


def load(path, name):
    spec = importlib.util.spec_from_file_location('tool', path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


for line in sys.stdin:
    path, name, arguments = json.loads(line)
    if (path, name) not in functions:
        functions[path, name] = load(path, name)
    answer = functions[path, name](arguments)
    assert list(answer) == ['success', 'message', 'data'], answer
    answers.write(json.dumps(answer, allow_nan=False) + '\n')
    answers.flush()
