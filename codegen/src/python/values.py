class _Refused(Exception):
    """Invalid arguments: where, as a JSON pointer, and why."""

    def __init__(self, path, why):
        super().__init__(f'invalid arguments: {path}: {why}' if path else f'invalid arguments: {why}')


class _Failed(Exception):
    """The library cannot be loaded, or C returned an invalid result."""


class _Code(Exception):
    """C returned an error code."""

    def __init__(self, code, text):
        super().__init__(f'code {code}: {text}')


def _step(key):
    """One step of a JSON pointer."""
    return '/' + str(key).replace('~', '~0').replace('/', '~1')


class _Arguments:
    """The arguments of a call: only those in `keys` are accepted."""

    def __init__(self, given, keys):
        if not isinstance(given, dict):
            raise _Refused('', 'expected an object')
        for key in given:
            if key not in keys:
                raise _Refused(_step(key), f'unknown; expected {", ".join(keys) or "nothing"}')
        self.given = given

    def take(self, key, kind):
        """A required argument."""
        if key not in self.given:
            raise _Refused(_step(key), 'missing')
        return kind.read(self.given[key], _step(key))

    def maybe(self, key, kind, default=None):
        """An optional argument, which may be absent or null."""
        value = self.given.get(key)
        return default if value is None else kind.read(value, _step(key))


class _Boolean:
    """True or False; in memory, every value except 0 is True."""

    def __init__(self, c_type):
        self.c_type = c_type

    def read(self, value, path):
        if not isinstance(value, bool):
            raise _Refused(path, f'{value!r} is not true or false')
        return int(value)

    def show(self, value, name):
        return value != 0


class _Integer:
    """An integer in the range of a C type. Beyond 2**53 it is a decimal string in JSON."""

    def __init__(self, name, c_type):
        self.name = name
        self.c_type = c_type
        bits = 8 * ctypes.sizeof(c_type)
        self.low = -(1 << bits - 1) if c_type(-1).value < 0 else 0
        self.high = self.low + (1 << bits) - 1

    def read(self, value, path):
        if isinstance(value, float) and value.is_integer() and abs(value) <= 1 << 53:
            value = int(value)
        elif isinstance(value, str) and self.high > 1 << 53:
            value = self.of_text(value)
        if isinstance(value, bool) or not isinstance(value, int):
            raise _Refused(path, f'{value!r} is not an integer ({self.name})')
        if not self.low <= value <= self.high:
            raise _Refused(path, f'{value} does not fit {self.name}: {self.low} to {self.high}')
        return value

    def of_text(self, text):
        digits = text[1:] if text.startswith('-') else text
        is_plain = digits.isascii() and digits.isdigit() and not digits.startswith('0') and len(digits) < 32
        return int(text) if is_plain and abs(int(text)) > 1 << 53 else text

    def show(self, value, name):
        return value if abs(value) <= 1 << 53 else str(value)


class _Choice(_Integer):
    """One of the listed integers."""

    def __init__(self, name, c_type, values):
        super().__init__(name, c_type)
        self.values = values

    def read(self, value, path):
        value = super().read(value, path)
        if value not in self.values:
            raise _Refused(path, f'{value} is not one of {", ".join(map(str, self.values))}')
        return value


class _Number:
    """A finite number in the range of a C type."""

    def __init__(self, name, c_type):
        self.name = name
        self.c_type = c_type

    def read(self, value, path):
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise _Refused(path, f'{value!r} is not a number ({self.name})')
        try:
            value = float(value)
        except OverflowError:
            value = math.inf
        # `ctypes` turns a number that is too large for a C float into infinity.
        if not math.isfinite(value) or not math.isfinite(self.c_type(value).value):
            raise _Refused(path, f'{value} does not fit {self.name}')
        return value

    def show(self, value, name):
        if not math.isfinite(value):
            raise _Failed(f'`{name}` is {value}, which JSON cannot hold')
        if self.c_type is ctypes.c_float:
            # The shortest digits that give the same float: 0.1, not 0.10000000149011612.
            shortest = (float(f'{value:.{digits}g}') for digits in range(1, 10))
            return next((near for near in shortest if ctypes.c_float(near).value == value), value)
        return value


class _Character:
    """A string of one byte."""

    def __init__(self, c_type):
        self.c_type = c_type

    def read(self, value, path):
        if not isinstance(value, str):
            raise _Refused(path, f'{value!r} is not a string of one byte')
        data = _encode(value, 'utf-8', path)
        if len(data) != 1:
            raise _Refused(path, f'{value!r} is {len(data)} bytes long; expected a string of one byte')
        return self.c_type(data[0]).value

    def show(self, value, name):
        return _decode(bytes([value % 256]), 'utf-8', name)


class _Text:
    """A string, read as the bytes that C gets. It must not contain NUL unless C is told its length."""

    def __init__(self, encoding, counted=False, exactly=None, one_of=None):
        self.encoding = encoding
        self.counted = counted
        self.exactly = exactly
        self.one_of = one_of

    def read(self, value, path):
        if not isinstance(value, str):
            raise _Refused(path, f'{value!r} is not a string')
        if self.one_of is not None and value not in self.one_of:
            raise _Refused(path, f'{value!r} is not one of {", ".join(map(repr, self.one_of))}')
        data = _encode(value, self.encoding, path)
        units = len(data) // _unit(self.encoding)
        if self.exactly is not None and units != self.exactly:
            raise _Refused(path, f'it is {units} units long; expected {self.exactly}')
        if not self.counted and len(_until_nul(data, self.encoding)) != len(data):
            raise _Refused(path, 'it contains NUL, which would end it in C')
        return data


class _InPlace:
    """Text inside a struct: shorter text is padded with NULs, but bytes must have the exact length."""

    def __init__(self, encoding, count):
        self.encoding = encoding
        self.count = count
        self.c_type = (ctypes.c_uint16 if encoding == 'utf-16' else ctypes.c_ubyte) * count

    def read(self, value, path):
        data = _Text(self.encoding, counted=_is_binary(self.encoding)).read(value, path)
        units = len(data) // _unit(self.encoding)
        if units > self.count or (units < self.count and _is_binary(self.encoding)):
            raise _Refused(path, f'it is {units} units long, but the struct holds {self.count}')
        return self.c_type.from_buffer_copy(data.ljust(ctypes.sizeof(self.c_type), b'\0'))

    def show(self, value, name):
        data = bytes(value)
        if not _is_binary(self.encoding):
            data = _until_nul(data, self.encoding)
        return _decode(data, self.encoding, name)


class _StringPointer:
    """A pointer to a string, inside a struct."""

    c_type = ctypes.c_char_p

    def read(self, value, path):
        return _Text('utf-8').read(value, path)

    def show(self, value, name):
        return None if value is None else _decode(value, 'utf-8', name)


class _Nothing:
    """A pointer for which only null can be given."""

    c_type = ctypes.c_void_p

    def read(self, value, path):
        if value is not None:
            raise _Refused(path, 'only null can be given: the document does not say what it points to')


class _List:
    """An array: of exactly `count` elements, if that is set."""

    def __init__(self, element, count=None):
        self.element = element
        self.count = count
        if count is not None:
            self.c_type = element.c_type * count

    def read(self, value, path):
        if not isinstance(value, (list, tuple)):
            raise _Refused(path, f'{value!r} is not an array')
        if self.count is not None and len(value) != self.count:
            raise _Refused(path, f'it has {len(value)} elements; expected {self.count}')
        read = [self.element.read(each, path + _step(index)) for index, each in enumerate(value)]
        return read if self.count is None else self.c_type(*read)

    def show(self, values, name):
        return [self.element.show(value, f'{name}/{index}') for index, value in enumerate(values)]


class _Record:
    """A C struct. Each member is (key, attribute, kind, is required, default)."""

    def __init__(self, c_type, members, size=None, align=None):
        self.c_type = c_type
        self.members = members
        self.size = size
        self.align = align

    def read(self, value, path):
        if not isinstance(value, dict):
            raise _Refused(path, f'{value!r} is not an object')
        keys = [key for key, *_ in self.members]
        for key in value:
            if key not in keys:
                raise _Refused(path + _step(key), f'unknown; expected {", ".join(keys)}')
        record = self.c_type()
        for key, attribute, kind, is_required, default in self.members:
            inside = path + _step(key)
            if is_required and key not in value:
                raise _Refused(inside, 'missing')
            given = value.get(key)
            if given is not None or (is_required and not isinstance(kind, _Nothing)):
                setattr(record, attribute, kind.read(given, inside))
            elif default is not None:
                setattr(record, attribute, default)
        return record

    def show(self, record, name):
        shown = {}
        for key, attribute, kind, *_ in self.members:
            if not isinstance(kind, _Nothing):
                shown[key] = kind.show(getattr(record, attribute), f'{name}/{key}')
        return shown

    def check(self):
        """Fails if the size or alignment on this machine is not the one in the document."""
        for what, expected, found in [
            ('size', self.size, ctypes.sizeof(self.c_type)),
            ('alignment', self.align, ctypes.alignment(self.c_type)),
        ]:
            if expected not in (None, found):
                raise _Failed(f'the {what} of {self.c_type.__name__} is {found} on this machine, not {expected}')


def _unit(encoding):
    return 2 if encoding == 'utf-16' else 1


def _is_binary(encoding):
    return encoding in ('base64', 'hex')


def _encode(text, encoding, path):
    """The bytes that C gets for a string."""
    try:
        if encoding == 'base64':
            data = base64.b64decode(text, validate=True)
            # Only the canonical text of some bytes is accepted.
            if base64.b64encode(data).decode() != text:
                raise ValueError('wrong padding')
            return data
        if encoding == 'hex':
            return base64.b16decode(text, casefold=True)
        if encoding == 'utf-16':
            return text.encode('utf-16-le' if sys.byteorder == 'little' else 'utf-16-be')
        return text.encode('utf-8' if encoding == 'utf-8-lossy' else encoding)
    except ValueError as error:
        raise _Refused(path, f'it is not {encoding}: {error}') from None


def _decode(data, encoding, name):
    """The string for bytes from C."""
    try:
        if encoding == 'base64':
            return base64.b64encode(data).decode()
        if encoding == 'hex':
            return data.hex()
        if encoding == 'utf-16':
            return data.decode('utf-16-le' if sys.byteorder == 'little' else 'utf-16-be')
        if encoding == 'utf-8-lossy':
            return data.decode('utf-8', errors='replace')
        return data.decode(encoding)
    except ValueError as error:
        raise _Failed(f'`{name}` is not {encoding}: {error}') from None


def _until_nul(data, encoding):
    """The units before the first NUL, or all units."""
    if encoding != 'utf-16':
        return data.split(b'\0', 1)[0]
    ends = (at for at in range(0, len(data), 2) if data[at:at + 2] == b'\0\0')
    return data[:next(ends, len(data))]
