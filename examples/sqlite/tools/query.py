"""SQL with bound values, and rows as objects."""

import importlib


def query(tool_input: dict) -> dict:
    """Runs one SQL statement with values for its parameters, and returns all rows as objects: SELECT, INSERT, UPDATE, DELETE, anything.

    Args:
        db (str): The connection, from sqlite3_open.
        sql (str): One statement. ? stands for a value.
        params (list, optional): The values, one for each ?: texts, numbers, true or false, null; bytes are {"base64": "..."}.
        limit (int, optional): The most rows to return; 1000 unless given.
    """
    try:
        return _query(tool_input['db'], tool_input['sql'], tool_input.get('params') or [], tool_input.get('limit', 1000))
    except _Failed as failed:
        return dict(success=False, message=str(failed))


def _query(db, sql, params, limit):
    prepared = _call('sqlite3_prepare_v2', db=db, sql=sql)
    statement = prepared['stmt']
    if statement is None:
        return dict(success=False, message='the SQL has no statement')
    try:
        if prepared['tail'].strip(' \n\t;'):
            return dict(success=False, message='one statement at a time; behind the first there is: ' + prepared['tail'].strip())
        wanted = _call('sqlite3_bind_parameter_count', stmt=statement)['count']
        if wanted != len(params):
            return dict(success=False, message='the SQL has {} parameters, and `params` has {} values'.format(wanted, len(params)))
        for number, value in enumerate(params):
            _bind(statement, number + 1, value)
        rows, more = _rows(statement, limit)
    finally:
        _call('sqlite3_finalize', stmt=statement)
    data = dict(rows=rows, changes=_call('sqlite3_changes', db=db)['rows'])
    if more:
        data['more'] = True
    return dict(success=True, message='', data=data)


def _call(function, **arguments):
    client = getattr(importlib.import_module('shj.client.client'), 'InterClient')
    reply = client.tool_exe(function, function, arguments)
    if not reply['success']:
        raise _Failed(reply['message'])
    return reply['data']


class _Failed(Exception):
    pass


def _bind(statement, index, value):
    bound = dict(stmt=statement, index=index)
    if value is None:
        _call('sqlite3_bind_null', **bound)
    elif isinstance(value, (bool, int)):
        _call('sqlite3_bind_int64', value=int(value), **bound)
    elif isinstance(value, float):
        _call('sqlite3_bind_double', value=value, **bound)
    elif isinstance(value, dict) and set(value) == {'base64'}:
        _call('sqlite3_bind_blob', value=value['base64'], **bound)
    elif isinstance(value, str):
        _call('sqlite3_bind_text', value=value, **bound)
    else:
        raise _Failed('/params/{}: a text, a number, true, false, null or {{"base64": "..."}} is expected'.format(index - 1))


def _rows(statement, limit):
    columns = None
    rows = []
    while _call('sqlite3_step', stmt=statement)['code'] == 100:
        if len(rows) == limit:
            return rows, True
        if columns is None:
            count = _call('sqlite3_column_count', stmt=statement)['count']
            columns = [_call('sqlite3_column_name', stmt=statement, column=column)['name'] for column in range(count)]
        rows.append({name: _value(statement, column) for column, name in enumerate(columns)})
    return rows, False


def _value(statement, column):
    of = dict(stmt=statement, column=column)
    kind = _call('sqlite3_column_type', **of)['type']
    if kind == 1:
        return _call('sqlite3_column_int64', **of)['value']
    if kind == 2:
        return _call('sqlite3_column_double', **of)['value']
    if kind == 3:
        return _call('sqlite3_column_text', **of)['value']
    if kind == 4:
        return dict(base64=_call('sqlite3_column_blob', **of)['value'] or '')
    return None
