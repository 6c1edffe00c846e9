from os import path

return 1


def execute(tool_input: dict) -> dict:
    return dict(success=True, message='', data=path.sep)
