import typing


def execute(tool_input: 'typing.List[dict]') -> dict:
    return dict(success=True, message='', data=tool_input)
