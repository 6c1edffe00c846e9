"""Queries of clusters."""


def query(tool_input: dict) -> dict:
    """Queries the load of a cluster
    over a time.

    The result is a chart.

    Args:
        cluster (str): The name of the cluster,
            as the console shows it.
        app_ids (list[int]): The applications.
        window (int, optional): Minutes to look back.
        level ({'warn', 'error'}): The lowest level.
        since (datetime): When to begin.
        unused (bool): Nobody reads it.

    Returns:
        dict: A chart of `type` and `series`.

    Raises:
        KeyError: without a cluster.
    """
    cluster = tool_input['cluster']
    window = tool_input.get('window', 30)
    ids = [str(i) for i in tool_input['app_ids']]
    if tool_input['level'] == 'warn':
        print(tool_input['since'])
    return dict(success=True, message=cluster, data={'type': 'line', 'series': [window, ids]})
