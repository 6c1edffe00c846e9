def execute() -> dict:
    return dict(success=True, message='', data=1)
