def execute(tool_input: dict) -> list[dict]:
    return dict(success=True, message='', data=1)
