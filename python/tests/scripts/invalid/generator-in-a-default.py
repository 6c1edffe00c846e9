def execute(tool_input: dict) -> dict:
    def inner(x=(yield)):
        return x
    return dict(success=True, message='', data=1)
