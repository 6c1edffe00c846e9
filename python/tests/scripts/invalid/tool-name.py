def 查询(tool_input: dict) -> dict:
    return dict(success=True, message='', data=1)
