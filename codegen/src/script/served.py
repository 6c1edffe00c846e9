
    class Refused(Exception):
        pass

    def escaped(key):
        return str(key).replace('~', '~0').replace('/', '~1')

    def whole(value, rule, path):
        if isinstance(value, str) and rule.get('format') in ('int64', 'uint64'):
            digits = value[1:] if value.startswith('-') else value
            if digits.isascii() and digits.isdigit():
                return int(value)
        if isinstance(value, float) and value.is_integer():
            return int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            raise Refused(f'{path}: expected an integer')
        return value

    def check_integer(value, rule, path):
        number = whole(value, rule, path)
        low, high = rule.get('minimum', number), rule.get('maximum', number)
        if not low <= number <= high:
            raise Refused(f'{path}: {number} is not between {low} and {high}')
        return number

    def check_number(value, rule, path):
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise Refused(f'{path}: expected a number')
        try:
            is_finite = math.isfinite(value)
        except OverflowError:
            is_finite = False
        if not is_finite or rule.get('format') == 'float' and abs(value) > 3.4028235677973366e+38:
            raise Refused(f'{path}: the number is too large')

    def bytes_of(text, encoding):
        try:
            if encoding == 'base64':
                return base64.b64decode(text, validate=True)
            if encoding == 'base16':
                return base64.b16decode(text, casefold=True)
            return text.encode()
        except ValueError:
            return None

    def check_string(value, rule, path):
        if not isinstance(value, str):
            raise Refused(f'{path}: expected a string')
        encoding = rule.get('contentEncoding')
        raw = bytes_of(value, encoding)
        if raw is None:
            raise Refused(f'{path}: not {encoding or "text"}')
        if encoding and len(raw) != rule.get('x-length', len(raw)):
            raise Refused(f'{path}: {len(raw)} bytes, expected {rule["x-length"]}')
        if rule.get('maxLength') == 1 and len(raw) != 1:
            raise Refused(f'{path}: expected a string of one byte')

    def check_list(value, rule, path):
        if not isinstance(value, (list, tuple)):
            raise Refused(f'{path}: expected an array')
        if len(value) != rule.get('minItems', len(value)):
            raise Refused(f'{path}: {len(value)} elements, expected {rule["minItems"]}')
        for index, element in enumerate(value):
            check(element, rule.get('items', {}), f'{path}/{index}')

    def check_dict(value, rule, path):
        if not isinstance(value, dict):
            raise Refused(f'{path or "the arguments"}: expected an object')
        known = rule.get('properties')
        if known is None:
            return
        for key in rule.get('required', []):
            if value.get(key) is None:
                raise Refused(f'{path}/{escaped(key)}: missing')
        for key, inner in value.items():
            if key not in known:
                raise Refused(f'{path}/{escaped(key)}: unknown; expected {", ".join(known) or "nothing"}')
            if inner is not None:
                check(inner, known[key], f'{path}/{escaped(key)}')

    def check(value, rule, path):
        kind = rule.get('type')
        if kind == 'boolean' and not isinstance(value, bool):
            raise Refused(f'{path}: expected a boolean')
        if kind == 'integer':
            value = check_integer(value, rule, path)
        elif kind == 'number':
            check_number(value, rule, path)
        elif kind == 'string':
            check_string(value, rule, path)
        elif kind == 'array':
            check_list(value, rule, path)
        elif kind == 'object':
            check_dict(value, rule, path)
        if 'enum' in rule and value not in rule['enum']:
            raise Refused(f'{path}: {value!r} is not one of {", ".join(map(repr, rule["enum"]))}')

    def call():
        url = os.environ.get('OPENTOOL_URL', 'http://127.0.0.1:17001').rstrip('/')
        if not url.endswith('/opentool'):
            url += '/opentool'
        headers = {'Content-Type': 'application/json'}
        if os.environ.get('OPENTOOL_API_KEY'):
            headers['Authorization'] = 'Bearer ' + os.environ['OPENTOOL_API_KEY']
        body = {'jsonrpc': '2.0', 'method': name, 'params': tool_input, 'id': '1'}
        request = urllib.request.Request(url + '/call', json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request, timeout=120) as response:
            return json.load(response)

    try:
        check(tool_input, schema, '')
    except Refused as refused:
        return dict(success=False, message=f'invalid arguments: {refused}', data=None)
    try:
        reply = call()
    except urllib.error.HTTPError as error:
        text = error.read().decode(errors='replace').strip()
        return dict(success=False, message=f'the server answered {error.code}: {text}', data=None)
    except (OSError, ValueError) as error:
        return dict(success=False, message=f'no answer from the server: {error}', data=None)
    if not isinstance(reply, dict):
        return dict(success=False, message='the server did not answer with an object', data=None)
    if reply.get('error'):
        return dict(success=False, message=str(reply['error'].get('message')), data=reply['error'].get('data'))
    return dict(success=True, message='ok', data=reply.get('result'))
