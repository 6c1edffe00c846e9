def execute(tool_input: dict) -> dict:
    nonlocal total
    return dict(success=True, message='', data=total)
