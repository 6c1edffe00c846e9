def _copied(address, size):
    """A copy of `size` bytes at an address. The size for `ctypes.string_at` is limited to an int."""
    try:
        return bytes((ctypes.c_ubyte * size).from_address(address))
    except (MemoryError, OverflowError, ValueError):
        raise _Failed(f'C returned {size} bytes, which do not fit in memory') from None


def _memory(data):
    """A copy of bytes for C, followed by NULs; NULL for None."""
    return None if data is None else ctypes.create_string_buffer(data, len(data) + 2)


def _array(c_type, values):
    """An array for C; NULL for None."""
    return None if values is None else (c_type * len(values))(*values)


def _strings(values):
    """An array of strings for C; NULL for None."""
    return None if values is None else (ctypes.c_char_p * len(values))(*values)


def _pointed(c_type, value):
    """A value that C gets a pointer to; NULL for None."""
    return None if value is None else c_type(value)


def _reference(value):
    """A pointer to it; NULL for None."""
    return None if value is None else ctypes.byref(value)


def _left(kind, value, name):
    """What C left in a value behind a pointer."""
    return None if value is None else kind.show(value.value, name)


def _shown(kind, values, name):
    """What C left in a struct or an array."""
    return None if values is None else kind.show(values, name)


def _back(data, memory, encoding, name):
    """What C left in text or bytes."""
    return None if memory is None else _decode(_copied(ctypes.addressof(memory), len(data)), encoding, name)


def _first(*arrays):
    """The length of arrays that share one: that of the first that is present, or 0."""
    return next((len(array) for array in arrays if array is not None), 0)


def _length(name, length, c_type):
    """A length, checked to fit the type of its length parameter."""
    if c_type(length).value != length:
        raise _Refused(_step(name), f'it has {length} elements, more than its length parameter can hold')
    return length


def _same(name, length, expected):
    """Fails unless an array has the expected length."""
    if length != expected:
        raise _Refused(_step(name), f'it has {length} elements instead of {expected}')


class _Capacity(_Integer):
    """The capacity of a buffer in elements: at most 64 MiB in all."""

    def __init__(self, name, c_type, size):
        super().__init__(name, c_type)
        self.low = 0
        self.high = min(self.high, (64 << 20) // max(size, 1))


class _Buffer:
    """Zeroed memory that C writes to, followed by a guard that shows whether C wrote past the end."""

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
        """The capacity, checked to fit the type that C takes it as."""
        if c_type(self.capacity).value != self.capacity:
            raise _Failed(f'`{self.name}` cannot have room for {self.capacity} elements')
        return self.capacity

    def written(self, count=None):
        """The bytes of the first `count` elements, or of all."""
        guard = ctypes.addressof(self.memory) + self.capacity * self.size
        if ctypes.string_at(guard, len(self.GUARD)) != self.GUARD:
            raise _Failed(f'C wrote past the end of `{self.name}`')
        count = self.capacity if count is None else count
        if not 0 <= count <= self.capacity:
            raise _Failed(f'C reports {count} elements in `{self.name}`, which has room for {self.capacity}')
        return _copied(ctypes.addressof(self.memory), count * self.size)


def _elements(kind, data, name):
    """The elements in some bytes."""
    if data is None:
        return None
    elements = (kind.c_type * (len(data) // ctypes.sizeof(kind.c_type))).from_buffer_copy(data)
    return [kind.show(element, f'{name}/{index}') for index, element in enumerate(elements)]


def _text(data, encoding, name):
    """The text in some bytes, up to the first NUL."""
    return None if data is None else _decode(_until_nul(data, encoding), encoding, name)


def _bytes(data, encoding, name):
    """The text for all of the bytes."""
    return None if data is None else _decode(data, encoding, name)


def _is_null(address, name, nullable, count=1):
    """Whether C returned NULL. Fails if it must not; for 0 elements it always may."""
    if address:
        return False
    if not nullable and count:
        raise _Failed(f'`{name}` is a NULL pointer')
    return True


def _count(count, name):
    """A count from C."""
    if not 0 <= count <= sys.maxsize:
        raise _Failed(f'C reports {count} elements in `{name}`')
    return count


def _string_at(address, encoding, most=sys.maxsize):
    """The bytes at an address before the first NUL, but at most `most` units."""
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
    """The bytes of `count` elements at an address."""
    if _is_null(address, name, nullable, count):
        return None if nullable else b''
    return _copied(address, count * ctypes.sizeof(c_type))


def _characters(address, count, encoding, name, nullable=False):
    """The text of at most `count` bytes at an address."""
    if _is_null(address, name, nullable, count):
        return None if nullable else ''
    return _decode(_string_at(address, encoding, count), encoding, name)


def _list_at(address, count, name, nullable=False):
    """The strings behind `count` pointers at an address."""
    if _is_null(address, name, nullable):
        return None
    pointers = (ctypes.c_void_p * count).from_address(address)
    return [_string(pointer, 'utf-8', f'{name}/{index}') for index, pointer in enumerate(pointers)]


def _success(code, successes, texts):
    """Fails unless the code is one of the codes of success."""
    if code not in successes:
        raise _Code(code, texts.get(code, 'the document has no text for it'))


def _free(symbol, address):
    """Frees memory from C with a function of the library."""
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
    """Whether plain `char` is signed; no module tells that."""
    is_other = platform.machine().lower().startswith(('aarch64', 'arm', 'ppc', 'riscv', 's390'))
    return sys.platform in ('darwin', 'win32') or not is_other


_CHAR = ctypes.c_byte if _is_char_signed() else ctypes.c_ubyte
