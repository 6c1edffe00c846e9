def execute(tool_input: dict) -> dict:
    x = 1
    return dict(success=True, message='', data=x)
