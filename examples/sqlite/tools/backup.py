"""Copies of databases."""

import importlib


def backup(tool_input: dict) -> dict:
    """Copies a whole database into a file, also while it is used. What the file held before is replaced.

    Args:
        db (str): The connection to copy from, from sqlite3_open.
        path (str): The file to copy to.
    """
    try:
        return _backup(tool_input['db'], tool_input['path'])
    except _Failed as failed:
        return dict(success=False, message=str(failed))


def _backup(source, path):
    target = _call('sqlite3_open', filename=path)['db']
    try:
        copy = _call('sqlite3_backup_init', destination=target, source=source)['backup']
        if copy is None:
            return dict(success=False, message=_call('sqlite3_errmsg', db=target)['text'])
        try:
            _call('sqlite3_backup_step', backup=copy)
            pages = _call('sqlite3_backup_pagecount', backup=copy)['pages']
        finally:
            _call('sqlite3_backup_finish', backup=copy)
    finally:
        _call('sqlite3_close', db=target)
    return dict(success=True, message='', data=dict(pages=pages))


def _call(function, **arguments):
    client = getattr(importlib.import_module('shj.client.client'), 'InterClient')
    reply = client.tool_exe(function, function, arguments)
    if not reply['success']:
        raise _Failed(reply['message'])
    return reply['data']


class _Failed(Exception):
    pass
