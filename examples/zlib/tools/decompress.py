"""Data of which only the bytes are known."""

import importlib

# Plus 32 finds out whether it is gzip's format or zlib's; a negative number is raw deflate, which has no mark.
_FORMATS = ((47, None), (-15, 'deflate'))
_ROOM = 1 << 16


def decompress(tool_input: dict) -> dict:
    """Decompresses bytes of any size: gzip, zlib or raw deflate, whichever it is.

    Args:
        source (str): The compressed bytes, in base64.
        limit (int, optional): The most bytes of the result; 16777216 unless given.
    """
    base64 = importlib.import_module('base64')
    source = base64.b64decode(tool_input['source'], validate=True)
    limit = tool_input.get('limit', 1 << 24)
    for window, name in _FORMATS:
        found = _inflated(source, window, limit)
        if isinstance(found, str):
            if name is None and 'incorrect header check' not in found:
                return dict(success=False, message=found)
            continue
        result, rest = found
        name = name or ('gzip' if source[:2] == b'\x1f\x8b' else 'zlib')
        data = dict(data=base64.b64encode(result).decode(), bytes=len(result), format=name, unused=rest)
        text = _text(result)
        if text is not None:
            data['text'] = text
        return dict(success=True, message='', data=data)
    return dict(success=False, message='it is neither gzip nor zlib nor raw deflate')


def _inflated(source, window, limit):
    """The result and how many bytes of the source are behind it, or what is wrong."""
    base64 = importlib.import_module('base64')
    stream = _call('inflateInit2_', windowBits=window)['strm']
    result = b''
    try:
        while True:
            try:
                step = _call('inflate', strm=stream, next_in=base64.b64encode(source).decode(), avail_out=_ROOM)
            except _Failed as error:
                return str(error)
            result += base64.b64decode(step['next_out'])
            source = source[len(source) - step['avail_in']:]
            if len(result) > limit:
                return 'the result has more than {} bytes: give a larger limit'.format(limit)
            if step['code'] == 1:
                return result, len(source)
            if not source and len(step['next_out']) == 0:
                return 'the data ends too early'
    finally:
        _call('inflateEnd', strm=stream)


def _text(data):
    try:
        return data.decode('utf-8')
    except UnicodeDecodeError:
        return None


def _call(function, **arguments):
    client = getattr(importlib.import_module('shj.client.client'), 'InterClient')
    reply = client.tool_exe(function, function, arguments)
    if not reply['success']:
        raise _Failed(reply['message'])
    return reply['data']


class _Failed(Exception):
    pass
