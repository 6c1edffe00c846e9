def execute(tool_input: str) -> dict:
    return dict(success=True, message='', data=tool_input)
