"""Checks values that scripts return or pass to other tools. Precedes `worker.py`, which calls `encoded`."""

import json

DEPTH = 100
SMALLEST, LARGEST = -(1 << 63), (1 << 64) - 1


class Unfit(Exception):
    """A value that JSON cannot represent, and its place in the result."""

    def __init__(self, pointer, message):
        Exception.__init__(self, '%s: %s' % (pointer, message) if pointer else message)


def encoded(result, entry, output_limit):
    """The result of a script as JSON."""
    if not isinstance(result, dict):
        raise Unfit('', '`%s` returned %s, not dict(success=..., message=..., data=...)' % (entry, kind(result)))
    success = result.get('success')
    if type(success) is not bool:
        raise Unfit('', wrong(result, 'success', 'True or False'))
    if not isinstance(result.get('message'), str):
        raise Unfit('', wrong(result, 'message', 'a str'))
    # A failure needs no data.
    if success and 'data' not in result:
        raise Unfit('', wrong(result, 'data', 'the result of the tool'))
    for key in result:
        if key not in ('success', 'message', 'data'):
            raise Unfit('', 'the result has %s in addition to `success`, `message` and `data`' % shown(key))
    data = result.get('data')
    check(data, '/data', [output_limit // 2 + 1], 1)
    value = {'success': success, 'message': result['message'], 'data': data}
    text = to_json(value)
    if len(text) > output_limit:
        raise Unfit('', 'the result has %d bytes; at most %d are allowed' % (len(text), output_limit))
    return text


def wrong(result, key, expected):
    if key in result:
        return '`%s` of the result is %s, not %s' % (key, kind(result[key]), expected)
    return 'the result has no `%s`; expected %s' % (key, expected)


def check(value, pointer, budget, depth):
    """Refuses values that JSON does not have, some of which `json.dumps` would write."""
    budget[0] -= 1
    if budget[0] < 0:
        raise Unfit('', 'the result is too large')
    if value is None or value is True or value is False:
        return
    if isinstance(value, str):
        try:
            value.encode('utf-8')
        except UnicodeEncodeError:
            raise Unfit(pointer, 'an unpaired surrogate is not valid text') from None
    elif isinstance(value, int):
        if not SMALLEST <= value <= LARGEST:
            raise Unfit(pointer, 'an int beyond 64 bits; return it as a str')
    elif isinstance(value, float):
        if value != value or value in (float('inf'), float('-inf')):
            raise Unfit(pointer, '%s is not JSON; return None or a str' % float(value))
    elif depth > DEPTH:
        raise Unfit(pointer[:200], 'nested more than %d levels deep, or cyclic' % DEPTH)
    elif isinstance(value, dict):
        for key, member in value.items():
            if not isinstance(key, str):
                raise Unfit(pointer, 'the key %s is %s, not a str' % (shown(key), kind(key)))
            check(member, pointer + '/' + key.replace('~', '~0').replace('/', '~1'), budget, depth + 1)
    elif isinstance(value, (list, tuple)):
        for index, member in enumerate(value):
            check(member, '%s/%d' % (pointer, index), budget, depth + 1)
    else:
        raise Unfit(pointer, '%s is not JSON; %s' % (kind(value), INSTEAD.get(type(value).__name__, 'return a dict, list, str, int, float, bool or None')))


INSTEAD = {
    'bytes': 'decode it to a str, with base64 if it is not text',
    'bytearray': 'decode it to a str, with base64 if it is not text',
    'set': 'return a list',
    'frozenset': 'return a list',
    'Decimal': 'return a float or a str',
    'datetime': 'return value.isoformat()',
    'date': 'return value.isoformat()',
    'ndarray': 'return value.tolist()',
    'DataFrame': "return value.to_dict('records')",
}


ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


def to_json(value):
    try:
        return ENCODER.encode(value).encode('utf-8')
    except (TypeError, ValueError) as error:
        raise Unfit('', 'the result is not JSON: %s' % error) from None


def kind(value):
    name = type(value).__name__
    if value is None:
        return 'None'
    return ('an ' if name[:1] in 'aeiouAEIOU' else 'a ') + name


def shown(value):
    try:
        text = repr(value)
    except BaseException:
        text = type(value).__name__
    return text if len(text) <= 60 else text[:60] + '...'
