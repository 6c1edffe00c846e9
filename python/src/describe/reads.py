"""Finds the keys that a script reads from its dict, and their types by their uses."""

# The types that these functions and methods require of a value.
CALLS = dict(int="integer", range="integer", float="number", round="number", abs="number", bool="boolean",
             list="array", tuple="array", set="array", sorted="array", sum="array", enumerate="array",
             min="array", max="array", zip="array", dict="object", open="string")
METHODS = {
    "string": "strip lstrip rstrip split rsplit splitlines lower upper title startswith endswith encode "
              "replace isdigit casefold capitalize partition zfill".split(),
    "object": "items keys values get setdefault".split(),
    "array": "append extend sort insert reverse".split(),
}
# Uses of the whole dict that read no keys.
HARMLESS_CALLS = ("print", "len", "bool", "isinstance", "type", "id")
LOGGING = ("debug", "info", "warning", "error", "exception", "critical", "log")


class Reads:
    """The keys that a function reads from its dict, and its other uses of the dict."""

    def __init__(self, script, entry, parameter):
        self.script, self.entry = script, entry
        self.keys, self.open = {}, []
        self.written = set()
        self.parents = {}
        self.loads, self.stores = {}, {}
        for node in ast.walk(entry):
            for child in ast.iter_child_nodes(node):
                self.parents[child] = node
            if isinstance(node, ast.Name):
                names = self.loads if isinstance(node.ctx, ast.Load) else self.stores
                names.setdefault(node.id, []).append(node)
        waiting, seen = [parameter], set()
        while waiting:
            name = waiting.pop()
            if name not in seen:
                seen.add(name)
                waiting += [alias for node in self.loads.get(name, []) for alias in self.look(node, name)]
        for name in sorted(seen):
            if any(not self.is_alias(node, seen) for node in self.stores.get(name, [])):
                self.note(self.stores[name][0], "`%s` is assigned another value" % name)
        # A key that the script sets itself is not required.
        for name in self.written & set(self.keys):
            self.keys[name]["required"] = False
        self.open.sort(key=lambda note: note["line"])

    def note(self, node, message):
        self.open.append(dict(line=node.lineno, message=message))

    def is_alias(self, store, names):
        value = getattr(self.parents[store], "value", None)
        value = value.values[0] if isinstance(value, ast.BoolOp) else value
        return isinstance(value, ast.Name) and value.id in names

    def look(self, node, name):
        """Records one use of the dict, and returns new aliases of it."""
        if self.is_shadowed(node, name):
            return []
        parent = self.parents[node]
        above = self.parents.get(parent)
        if isinstance(parent, ast.Subscript) and parent.value is node:
            self.subscript(parent, above)
        elif isinstance(parent, ast.Attribute) and isinstance(above, ast.Call) and above.func is parent:
            self.method(parent.attr, above)
        elif isinstance(parent, ast.Compare) and isinstance(parent.ops[0], (ast.In, ast.NotIn)):
            self.membership(parent, above)
        elif isinstance(parent, ast.Compare):
            pass
        elif isinstance(parent, ast.BoolOp) and isinstance(above, ast.Assign):
            return [target.id for target in above.targets if isinstance(target, ast.Name)]
        elif isinstance(parent, (ast.Assign, ast.AnnAssign)) and parent.value is node:
            targets = getattr(parent, "targets", None) or [parent.target]
            if all(isinstance(target, ast.Name) for target in targets):
                return [target.id for target in targets]
            self.note(node, "`%s` is stored elsewhere" % name)
        elif isinstance(parent, (ast.If, ast.IfExp, ast.UnaryOp, ast.FormattedValue, ast.BoolOp, ast.Expr)):
            pass
        elif isinstance(parent, ast.Call) and self.is_harmless(parent):
            pass
        elif isinstance(parent, ast.Call):
            self.note(node, "`%s` is passed to `%s`" % (name, self.script.written(parent.func)))
        elif isinstance(parent, ast.keyword) and isinstance(above, ast.Call):
            self.note(node, "`%s` is passed to `%s`" % (name, self.script.written(above.func)))
        else:
            self.note(node, "`%s` is used as a whole" % name)
        return []

    def is_shadowed(self, node, name):
        """Whether the name belongs to a parameter of an inner function."""
        while node is not self.entry:
            node = self.parents[node]
            if node is not self.entry and isinstance(node, FUNCTIONS + (ast.Lambda,)):
                if any(isinstance(it, ast.arg) and it.arg == name for it in ast.walk(node.args)):
                    return True
        return False

    def is_harmless(self, call):
        if isinstance(call.func, ast.Name):
            return call.func.id in HARMLESS_CALLS
        return isinstance(call.func, ast.Attribute) and call.func.attr in LOGGING

    def key(self, node, needs, value=None, default=None):
        """Records a key. `needs`: whether the script fails without it."""
        is_new = node.value not in self.keys
        new = dict(name=node.value, required=False, kinds=[], items=[], default=None)
        key = self.keys.setdefault(node.value, new)
        place = self.script.place(node)
        if is_new or place < key["place"]:
            key.update(place=place, line=node.lineno)
        # A key that is optional in one place is optional everywhere.
        key["required"] = needs and (is_new or key["required"])
        if default is not None:
            key["default"] = key["default"] or self.script.written(default)
            self.add_kind(key, literal_kind(default))
        if value is not None:
            self.uses(value, key, 0)

    def add_kind(self, key, kind):
        if kind and kind not in key["kinds"]:
            key["kinds"].append(kind)

    def subscript(self, parent, above):
        index = parent.slice
        # Python 3.8 wraps the index.
        index = index.value if type(index).__name__ == "Index" else index
        if not (isinstance(index, ast.Constant) and isinstance(index.value, str)):
            return self.note(parent, "`%s` reads a computed key" % self.script.written(parent))
        if isinstance(parent.ctx, ast.Load) or isinstance(above, ast.AugAssign):
            self.key(index, not self.is_caught(parent), parent)
        elif isinstance(parent.ctx, ast.Store):
            self.written.add(index.value)

    def is_caught(self, node):
        """Whether a missing key is handled by an `except KeyError:` that continues."""
        while node is not self.entry:
            below, node = node, self.parents[node]
            if isinstance(node, ast.Try) and below in node.body:
                for handler in node.handlers:
                    caught = self.script.written(handler.type) if handler.type else ""
                    if ("KeyError" in caught or "LookupError" in caught) and not leaves(handler.body):
                        return True
        return False

    def method(self, method, call):
        first = call.args[0] if call.args else None
        is_key = isinstance(first, ast.Constant) and isinstance(first.value, str)
        if method not in ("get", "pop", "setdefault"):
            return self.note(call, "`.%s()` may read any key" % method)
        if not is_key:
            return self.note(call, "`%s` reads a computed key" % self.script.written(call))
        default = call.args[1] if len(call.args) > 1 else None
        if default is None:
            self.key(first, method == "pop" or self.must_be_there(call), call)
        else:
            self.key(first, False, call, default)

    def must_be_there(self, value):
        """Whether the script ends if the value is missing: `if not x: return …`."""
        variable = self.variable(value)
        uses = [value] if variable is None else self.loads.get(variable, [])
        return any(self.ends_without(use) for use in uses)

    def ends_without(self, use):
        test = self.parents[use]
        above = self.parents.get(test)
        if isinstance(above, ast.BoolOp) and isinstance(above.op, ast.Or):
            above = self.parents.get(above)
        is_not = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
        is_none = isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Is) and test.left is use
        return (is_not or is_none) and isinstance(above, ast.If) and leaves(above.body)

    def membership(self, compare, above):
        if not (isinstance(compare.left, ast.Constant) and isinstance(compare.left.value, str)):
            written = self.script.written(compare)
            return self.note(compare, "`%s` looks up a computed key" % written)
        needs = isinstance(compare.ops[0], ast.NotIn) and isinstance(above, ast.If) and leaves(above.body)
        self.key(compare.left, needs)

    def variable(self, value):
        """The variable that only ever has this value."""
        parent = self.parents[value]
        if isinstance(parent, (ast.Assign, ast.AnnAssign, ast.NamedExpr)) and parent.value is value:
            targets = getattr(parent, "targets", None) or [parent.target]
            if len(targets) == 1 and isinstance(targets[0], ast.Name) and len(self.stores[targets[0].id]) == 1:
                return targets[0].id
        return None

    def uses(self, value, key, depth):
        """Collects the types that this use of the value, or all uses of its variable, require."""
        parent = self.parents[value]
        if isinstance(parent, ast.AnnAssign) and parent.value is value:
            annotation = self.script.written(parent.annotation)
            self.add_kind(key, CALLS.get(annotation, "string" if annotation == "str" else None))
        variable = self.variable(value)
        if variable is not None:
            for use in self.loads.get(variable, []) if depth < 3 else []:
                self.uses(use, key, depth + 1)
            return
        self.add_kind(key, self.kind_of_use(value, parent))
        if is_joined(value, parent):
            self.add_kind(key, "array")
            self.add_kind(dict(kinds=key["items"]), "string")
        if isinstance(parent, (ast.For, ast.comprehension)) and parent.iter is value and depth < 3:
            target = parent.target
            if isinstance(target, ast.Name) and len(self.stores[target.id]) == 1:
                element = dict(kinds=key["items"], items=[])
                for use in self.loads.get(target.id, []):
                    self.uses(use, element, depth + 1)

    def kind_of_use(self, value, parent):
        if isinstance(parent, ast.Call) and value in parent.args:
            name = parent.func.id if isinstance(parent.func, ast.Name) else None
            if name == "isinstance" and parent.args[0] is value:
                tested = self.script.written(parent.args[1])
                return "string" if tested == "str" else CALLS.get(tested)
            is_one = len(parent.args) == 1 or name == "open"
            return CALLS.get(name) if is_one else None
        if isinstance(parent, (ast.For, ast.comprehension)):
            return "array" if parent.iter is value else None
        if isinstance(parent, ast.Attribute):
            return next((kind for kind, methods in METHODS.items() if parent.attr in methods), None)
        if isinstance(parent, ast.Subscript) and parent.value is value:
            index = parent.slice
            index = index.value if type(index).__name__ == "Index" else index
            return "object" if isinstance(index, ast.Constant) and isinstance(index.value, str) else None
        if isinstance(parent, ast.BinOp):
            return self.kind_of_operand(value, parent)
        if isinstance(parent, ast.Compare) and len(parent.ops) == 1 and parent.left is value:
            other = parent.comparators[0]
            if isinstance(parent.ops[0], (ast.In, ast.NotIn)):
                elements = getattr(other, "elts", [])
                return literal_kind(elements[0]) if elements else None
            kind = literal_kind(other)
            return {"integer": "number", "array": None, "object": None}.get(kind, kind)
        if isinstance(parent, ast.BoolOp) and isinstance(parent.op, ast.Or) and parent.values[0] is value:
            return literal_kind(parent.values[-1])
        if isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.USub):
            return "number"
        return None

    def kind_of_operand(self, value, operation):
        other = operation.right if operation.left is value else operation.left
        kind = literal_kind(other)
        if isinstance(operation.op, ast.Add):
            return {"integer": "number"}.get(kind, kind)
        if isinstance(operation.op, ast.Mod) and operation.right is value:
            return None
        if isinstance(operation.op, ast.Mult) and kind in ("string", "array"):
            return "integer"
        arithmetic = (ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
        return "number" if isinstance(operation.op, arithmetic) and kind in ("integer", "number") else None


def is_joined(value, parent):
    """`','.join(value)`."""
    return (isinstance(parent, ast.Call) and value in parent.args and isinstance(parent.func, ast.Attribute)
            and parent.func.attr == "join" and literal_kind(parent.func.value) == "string")


def leaves(body):
    return bool(body) and isinstance(body[-1], (ast.Return, ast.Raise))
