def scale(tool_input):
    """Scales values.

    Parameters
    ----------
    values : list of float
        What to scale.
    factor : float, default 2.0
        By how much.
    label : Optional[str]
        How it is called.

    Returns
    -------
    dict
        The values.
    """
    scaled = [v * tool_input.get('factor', 2.0) for v in tool_input['values']]
    return {'success': True, 'message': tool_input['label'] or '', 'data': scaled}
