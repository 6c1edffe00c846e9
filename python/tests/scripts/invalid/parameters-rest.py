def execute(*args, **kwargs) -> dict:
    return dict(success=True, message='', data=len(args))
