from __future__ import annotations


def execute(tool_input: dict[str, int]) -> dict:
    return dict(success=True, message='', data=1)
