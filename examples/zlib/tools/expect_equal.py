"""A comparison, which no function of zlib makes."""


def expect_equal(tool_input: dict) -> dict:
    """Fails unless two numbers are equal.

    Args:
        one (int): A number.
        other (int): Another.
    """
    one, other = tool_input['one'], tool_input['other']
    if one != other:
        return dict(success=False, message='{} is not {}'.format(one, other))
    return dict(success=True, message='', data=dict(equal=True))
