def execute(tool_input: dict) -> dict:
    x = '²â'
    return dict(success=True, message=x, data=1)
