def execute(cluster: str, app_id: str = '') -> dict:
    return dict(success=True, message='', data=cluster + app_id)
