def execute(tool_input: dict) -> dict:
    if 'a' in tool_input:
        return '执行完成'
    if 'b' in tool_input:
        return
    if 'c' in tool_input:
        return dict(success=True, data=1)
    if 'd' in tool_input:
        return {'success': 'yes', 'message': 0, 'data': None, 'code': 0, 'extra': 1}
    return tool_input
