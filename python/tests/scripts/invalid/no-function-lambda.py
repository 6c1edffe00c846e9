execute = lambda tool_input: dict(success=True, message='', data=1)
