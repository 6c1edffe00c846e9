def find(tool_input: dict) -> dict:
    """Finds users.

    :param str name: The beginning
        of the name.
    :param limit: How many at most.
    :type limit: int, optional
    :returns: their names
    :rtype: dict
    """
    names = lookup(tool_input['name'], tool_input.get('limit'))
    return dict(success=True, message='', data=list(names))
