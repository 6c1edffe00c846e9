"""Collects what the source of a script shows about its arguments and results: the docstrings, the keys that it reads
from its dict, and the literals that it returns as `data`."""

# The types that calls of these functions return.
GIVEN = dict(int="integer", len="integer", float="number", round="number", str="string", repr="string",
             bool="boolean", isinstance="boolean", any="boolean", all="boolean", list="array", sorted="array",
             dict="object")


def describe(script, entry):
    plain = getattr(entry.args, "posonlyargs", []) + entry.args.args
    reads = Reads(script, entry, plain[0].arg) if len(plain) == 1 else None
    return dict(
        name=entry.name,
        place=script.name_place(entry),
        parameter=plain[0].arg if plain else "",
        docstring=ast.get_docstring(entry),
        module_docstring=ast.get_docstring(script.tree),
        keys=sorted(reads.keys.values(), key=lambda key: key["place"]) if reads else [],
        open=reads.open if reads else [],
        data=data_kind(entry),
    )


def data_kind(entry):
    """The type of `data`, if all results agree."""
    kinds = set()
    for node in own_nodes(entry):
        if isinstance(node, ast.Return):
            members = result_members(node.value) or {}
            success, data = members.get("success"), members.get("data")
            if isinstance(success, ast.Constant) and success.value is False:
                continue
            kinds.add(literal_kind(data) or variable_kind(entry, data))
    return kinds.pop() if len(kinds) == 1 else None


def variable_kind(entry, node):
    """The type of a variable that is assigned once."""
    if not isinstance(node, ast.Name):
        return None
    given = [value for it in own_nodes(entry) for name, _, value in bound(it) if name == node.id]
    one = given[0] if len(given) == 1 else None
    is_plain = isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name)
    return literal_kind(one.value) if is_plain else None


def literal_kind(node):
    if isinstance(node, ast.Constant):
        kinds = {bool: "boolean", int: "integer", float: "number", str: "string"}
        return kinds.get(type(node.value))
    if isinstance(node, ast.UnaryOp):
        return "boolean" if isinstance(node.op, ast.Not) else literal_kind(node.operand)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return GIVEN.get(node.func.id)
    for kinds, kind in (((ast.JoinedStr,), "string"), ((ast.List, ast.ListComp, ast.Tuple), "array"),
                        ((ast.Dict, ast.DictComp), "object"), ((ast.Compare,), "boolean")):
        if isinstance(node, kinds):
            return kind
    return None
