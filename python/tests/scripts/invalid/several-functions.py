def execute(tool_input: dict) -> dict:
    return dict(success=True, message='', data=双倍(tool_input['n']))


def 双倍(n):
    return 2 * n


def _half(n):
    return n / 2
