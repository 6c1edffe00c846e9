def execute(tool_input: dict, /, *, verbose=False, **more) -> dict:
    return dict(success=True, message='', data=verbose)
