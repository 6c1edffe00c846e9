import logging

_log = logging.getLogger('keys')


def execute(tool_input: dict) -> dict:
    """Reads keys in many ways."""
    _log.info('called with %s', tool_input)
    args = tool_input or {}
    count = int(args['count'])
    ratio = float(tool_input['ratio'])
    names = args['names']
    flags = args.get('flags', [])
    enabled = args.get('enabled', False)
    text = tool_input.get('text', '')
    nested = tool_input['nested']
    if 'limit' in tool_input:
        count = min(count, tool_input['limit'])
    if 'must' not in tool_input:
        raise ValueError('must')
    app = tool_input.get('app')
    if app is None:
        return dict(success=False, message='no app', data=None)
    try:
        zone = args['zone']
    except KeyError:
        zone = 'here'
    try:
        owner = args['owner']
    except KeyError:
        raise ValueError('owner')
    last = tool_input.pop('last')
    total = 0
    for name in names:
        total += len(name.strip())
    level: int = tool_input['level']

    def sub_method(tool_input):
        return tool_input['of another dict']

    def other():
        return args['deep'] * 2

    path = ', '.join(tool_input['parts'])
    plain = tool_input['plain']
    both = tool_input['both']
    print(path, plain, both.strip(), both[0:1], nested['a'], other(), sub_method({}), both + 1)
    tool_input['set here'] = 1
    tool_input['set and read'] = owner
    print(tool_input['set and read'])
    return dict(success=True, message=text, data=total > 3 and enabled)
