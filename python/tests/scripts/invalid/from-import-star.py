from os.path import *


def execute(tool_input: dict) -> dict:
    return dict(success=True, message='', data=join('a', 'b'))
