def execute(tool_input: dict) -> dict:
    """Hands its arguments on, and says what they are.

    Args:
        cluster (str, required): The name of the cluster.
        limit (int, optional): How many at most.
        order (str): Nobody says whether it has to be there.
    """
    return dict(success=True, message='ok', data=_query(tool_input))


def _query(given):
    return [given['cluster'], given.get('limit', 10)]
