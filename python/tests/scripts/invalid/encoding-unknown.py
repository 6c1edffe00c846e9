# -*- coding: klingon -*-
def execute(tool_input: dict) -> dict:
    return dict(success=True, message='', data=1)
