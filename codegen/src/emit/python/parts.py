class _Refused(Exception):
    """The arguments are wrong: where, as a JSON pointer, and why."""

    def __init__(self, path, why):
        super().__init__(f'invalid arguments: {path}: {why}' if path else f'invalid arguments: {why}')


class _Failed(Exception):
    """The library is missing, or C gave what cannot be a result."""


class _Code(Exception):
    """C returned a code that is no success."""

    def __init__(self, code, text):
        super().__init__(f'code {code}: {text}')


def _step(key):
    """A step of a JSON pointer."""
    return '/' + str(key).replace('~', '~0').replace('/', '~1')


class _Arguments:
    """The arguments of a call, which are those in `keys` and no others."""

    def __init__(self, given, keys):
        if not isinstance(given, dict):
            raise _Refused('', 'expected an object')
        for key in given:
            if key not in keys:
                raise _Refused(_step(key), f'unknown; expected {", ".join(keys) or "nothing"}')
        self.given = given

    def take(self, key, kind):
        """One that every call gives."""
        if key not in self.given:
            raise _Refused(_step(key), 'missing')
        return kind.read(self.given[key], _step(key))

    def maybe(self, key, kind, default=None):
        """One that may be absent, or null."""
        value = self.given.get(key)
        return default if value is None else kind.read(value, _step(key))


class _Boolean:
    """True or False; in memory anything but 0 is True."""

    def __init__(self, c_type):
        self.c_type = c_type

    def read(self, value, path):
        if not isinstance(value, bool):
            raise _Refused(path, f'{value!r} is not true or false')
        return int(value)

    def show(self, value, name):
        return value != 0


class _Integer:
    """An integer in the range of a C type. Beyond 2**53 JSON has a string for it."""

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
    """One of some integers."""

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
        # A float that is too large for C's becomes infinity without a word.
        if not math.isfinite(value) or not math.isfinite(self.c_type(value).value):
            raise _Refused(path, f'{value} does not fit {self.name}')
        return value

    def show(self, value, name):
        if not math.isfinite(value):
            raise _Failed(f'`{name}` is {value}, which JSON cannot hold')
        if self.c_type is ctypes.c_float:
            # As few digits as tell it from its neighbours: 0.1, not 0.10000000149011612.
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
    """A string, in the bytes that C gets: without NUL unless C is told its length."""

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
            raise _Refused(path, 'it has a NUL, where C would see its end')
        return data


class _InPlace:
    """A text within a struct: a shorter one is padded, unless it is bytes."""

    def __init__(self, encoding, count):
        self.encoding = encoding
        self.count = count
        self.c_type = (ctypes.c_uint16 if encoding == 'utf-16' else ctypes.c_ubyte) * count

    def read(self, value, path):
        data = _Text(self.encoding, counted=_is_binary(self.encoding)).read(value, path)
        units = len(data) // _unit(self.encoding)
        if units > self.count or (units < self.count and _is_binary(self.encoding)):
            raise _Refused(path, f'it is {units} units long; there is room for {self.count}')
        return self.c_type.from_buffer_copy(data.ljust(ctypes.sizeof(self.c_type), b'\0'))

    def show(self, value, name):
        data = bytes(value)
        if not _is_binary(self.encoding):
            data = _until_nul(data, self.encoding)
        return _decode(data, self.encoding, name)


class _StringPointer:
    """A pointer to a string, within a struct."""

    c_type = ctypes.c_char_p

    def read(self, value, path):
        return _Text('utf-8').read(value, path)

    def show(self, value, name):
        return None if value is None else _decode(value, 'utf-8', name)


class _Nothing:
    """A pointer that JSON can give nothing for but null."""

    c_type = ctypes.c_void_p

    def read(self, value, path):
        if value is not None:
            raise _Refused(path, 'only null can be given: the document does not say what it points to')


class _List:
    """An array: of so many elements, if that is said."""

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
    """A C struct: its members are (key, attribute, kind, is required, default)."""

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
        """The document may say how large it is: on another machine it may be something else."""
        for what, expected, found in [
            ('size', self.size, ctypes.sizeof(self.c_type)),
            ('alignment', self.align, ctypes.alignment(self.c_type)),
        ]:
            if expected not in (None, found):
                raise _Failed(f'the {what} of {self.c_type.__name__} is {found} here, not {expected}')


def _unit(encoding):
    return 2 if encoding == 'utf-16' else 1


def _is_binary(encoding):
    return encoding in ('base64', 'hex')


def _encode(text, encoding, path):
    """The bytes that C gets for a text."""
    try:
        if encoding == 'base64':
            data = base64.b64decode(text, validate=True)
            # There is one text for some bytes, and not several.
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
    """The text of what C left."""
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
    """The units before the first NUL, or all of them."""
    if encoding != 'utf-16':
        return data.split(b'\0', 1)[0]
    ends = (at for at in range(0, len(data), 2) if data[at:at + 2] == b'\0\0')
    return data[:next(ends, len(data))]


def _copied(address, size):
    """So many bytes at an address. `ctypes.string_at` counts no farther than an int."""
    try:
        return bytes((ctypes.c_ubyte * size).from_address(address))
    except (MemoryError, OverflowError, ValueError):
        raise _Failed(f'C gave {size} bytes, for which there is no memory') from None


def _memory(data):
    """A copy of bytes for C, with NULs behind them; NULL for None."""
    return None if data is None else ctypes.create_string_buffer(data, len(data) + 2)


def _array(c_type, values):
    """An array for C; NULL for None."""
    return None if values is None else (c_type * len(values))(*values)


def _strings(values):
    """An array of strings for C; NULL for None."""
    return None if values is None else (ctypes.c_char_p * len(values))(*values)


def _pointed(c_type, value):
    """A value that C gets a pointer to; None for NULL."""
    return None if value is None else c_type(value)


def _reference(value):
    """A pointer to it; NULL for None."""
    return None if value is None else ctypes.byref(value)


def _left(kind, value, name):
    """What C left where a pointer led to."""
    return None if value is None else kind.show(value.value, name)


def _shown(kind, values, name):
    """What C left in a struct or an array."""
    return None if values is None else kind.show(values, name)


def _back(data, memory, encoding, name):
    """What C left in a text or in bytes."""
    return None if memory is None else _decode(_copied(ctypes.addressof(memory), len(data)), encoding, name)


def _first(*arrays):
    """How long the arrays are that share a length: the first that is there says it."""
    return next((len(array) for array in arrays if array is not None), 0)


def _length(name, length, c_type):
    """A length, if the type that counts it can."""
    if c_type(length).value != length:
        raise _Refused(_step(name), f'it has {length} elements, more than its length parameter can count')
    return length


def _same(name, length, expected):
    """Whether an array is as long as it has to be."""
    if length != expected:
        raise _Refused(_step(name), f'it has {length} elements instead of {expected}')


class _Capacity(_Integer):
    """How many elements a buffer has room for: at most 64 MiB of them."""

    def __init__(self, name, c_type, size):
        super().__init__(name, c_type)
        self.low = 0
        self.high = min(self.high, (64 << 20) // max(size, 1))


class _Buffer:
    """Memory of zeros that C writes to, and behind it a guard that shows whether it wrote farther."""

    GUARD = b'\xa5' * 16

    def __init__(self, name, c_type, capacity, limit=None):
        self.name = name
        self.capacity = capacity
        self.size = ctypes.sizeof(c_type)
        length = capacity * self.size
        if capacity < 0 or (limit is not None and length > limit):
            raise _Failed(f'`{name}` cannot have room for {capacity} elements')
        try:
            self.memory = ctypes.create_string_buffer(length + len(self.GUARD))
        except (MemoryError, OverflowError, ValueError):
            raise _Failed(f'`{name}` cannot have room for {capacity} elements') from None
        ctypes.memmove(ctypes.addressof(self.memory) + length, self.GUARD, len(self.GUARD))

    def counted(self, c_type):
        """The capacity as C is told it."""
        if c_type(self.capacity).value != self.capacity:
            raise _Failed(f'`{self.name}` cannot have room for {self.capacity} elements')
        return self.capacity

    def written(self, count=None):
        """The bytes of the first elements: as many as C says, or all."""
        guard = ctypes.addressof(self.memory) + self.capacity * self.size
        if ctypes.string_at(guard, len(self.GUARD)) != self.GUARD:
            raise _Failed(f'C wrote behind the end of `{self.name}`')
        count = self.capacity if count is None else count
        if not 0 <= count <= self.capacity:
            raise _Failed(f'C says that `{self.name}` has {count} elements; there is room for {self.capacity}')
        return _copied(ctypes.addressof(self.memory), count * self.size)


def _elements(kind, data, name):
    """The elements that bytes are."""
    if data is None:
        return None
    elements = (kind.c_type * (len(data) // ctypes.sizeof(kind.c_type))).from_buffer_copy(data)
    return [kind.show(element, f'{name}/{index}') for index, element in enumerate(elements)]


def _text(data, encoding, name):
    """The text that bytes are, up to its NUL."""
    return None if data is None else _decode(_until_nul(data, encoding), encoding, name)


def _bytes(data, encoding, name):
    """The text that bytes are, all of them."""
    return None if data is None else _decode(data, encoding, name)


def _is_null(address, name, nullable, count=1):
    """Whether C gave NULL, where it may. For no elements at all it always may."""
    if address:
        return False
    if not nullable and count:
        raise _Failed(f'`{name}` is a NULL pointer')
    return True


def _count(count, name):
    """How many elements C gave."""
    if not 0 <= count <= sys.maxsize:
        raise _Failed(f'C says that `{name}` has {count} elements')
    return count


def _string_at(address, encoding, most=sys.maxsize):
    """The bytes before the NUL at an address, of at most so many units."""
    if encoding != 'utf-16' and most == sys.maxsize:
        return ctypes.string_at(address)
    unit = ctypes.c_uint16 if encoding == 'utf-16' else ctypes.c_ubyte
    size = ctypes.sizeof(unit)
    length = 0
    while length < most and unit.from_address(address + length * size).value:
        length += 1
    return _copied(address, length * size)


def _string(address, encoding, name, nullable=False):
    """The string at an address."""
    return None if _is_null(address, name, nullable) else _decode(_string_at(address, encoding), encoding, name)


def _value(kind, address, name, nullable=False):
    """The value or struct at an address."""
    if _is_null(address, name, nullable):
        return None
    copy = (kind.c_type * 1).from_buffer_copy(_copied(address, ctypes.sizeof(kind.c_type)))
    return kind.show(copy[0], name)


def _data(c_type, address, count, name, nullable=False):
    """The bytes of so many elements at an address."""
    if _is_null(address, name, nullable, count):
        return None if nullable else b''
    return _copied(address, count * ctypes.sizeof(c_type))


def _characters(address, count, encoding, name, nullable=False):
    """The text of at most so many bytes at an address."""
    if _is_null(address, name, nullable, count):
        return None if nullable else ''
    return _decode(_string_at(address, encoding, count), encoding, name)


def _list_at(address, count, name, nullable=False):
    """The strings that so many pointers at an address lead to."""
    if _is_null(address, name, nullable):
        return None
    pointers = (ctypes.c_void_p * count).from_address(address)
    return [_string(pointer, 'utf-8', f'{name}/{index}') for index, pointer in enumerate(pointers)]


def _success(code, successes, texts):
    """The code, if it is none of an error."""
    if code not in successes:
        raise _Code(code, texts.get(code, 'the document has no text for it'))
    return code


def _free(symbol, address):
    """Frees what C gave, by the function of the library that does."""
    if address:
        _function(symbol, None, [ctypes.c_void_p])(address)


def _function(symbol, returns, arguments):
    """A function of the library."""
    try:
        function = _library()[symbol]
    except AttributeError:
        raise _Failed(f'the loaded library has no function `{symbol}`') from None
    function.restype = returns
    function.argtypes = arguments
    return function


def _is_char_signed():
    """Whether a plain `char` is, which no module tells."""
    is_other = platform.machine().lower().startswith(('aarch64', 'arm', 'ppc', 'riscv', 's390'))
    return sys.platform in ('darwin', 'win32') or not is_other


_CHAR = ctypes.c_byte if _is_char_signed() else ctypes.c_ubyte
