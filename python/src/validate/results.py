"""The rules about types: annotations, and results as far as the source shows them."""


def annotations(script, module, entry):
    plain = getattr(entry.args, "posonlyargs", []) + entry.args.args
    classes = [(name, node) for name, all in module.bindings.items() for kind, node in all if kind == "class"]
    typed = {name for name, node in classes
             if any(script.written(base).endswith("TypedDict") for base in node.bases)}
    if len(plain) == 1 and plain[0].annotation and not is_dict(plain[0].annotation, typed):
        node = plain[0].annotation
        script.report_at("P104", node, "`%s` is annotated as `%s`, but the argument is a dict"
                         % (plain[0].arg, script.written(node)), "write `%s: dict`" % plain[0].arg)
    if entry.returns and not is_dict(entry.returns, typed):
        script.report_at("P105", entry.returns, "`%s` is annotated to return `%s`, but it must return a dict"
                         % (entry.name, script.written(entry.returns)), "write `-> dict:`")


def is_dict(node, typed):
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            node = ast.parse(node.value.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
    if isinstance(node, ast.Subscript):
        node = node.value
    if isinstance(node, ast.Attribute):
        return node.attr in ("Dict", "dict")
    return isinstance(node, ast.Name) and (node.id in ("dict", "Dict") or node.id in typed)


KEYS = ("success", "message", "data")
NO_DICTS = (ast.Constant, ast.List, ast.Tuple, ast.Set, ast.JoinedStr, ast.Lambda, ast.ListComp, ast.SetComp,
            ast.GeneratorExp, ast.Compare)


def results(script, entry):
    """Checks the results that the source shows."""
    returns = [node for node in own_nodes(entry) if isinstance(node, ast.Return)]
    form = "write `return dict(success=True, message='…', data=…)`"
    others = (ast.Yield, ast.YieldFrom, ast.Raise)
    if not returns and not any(isinstance(node, others) for node in own_nodes(entry)):
        script.report("P106", *script.name_place(entry), "`%s` returns nothing" % entry.name, form)
    for node in returns:
        value = node.value
        if value is None or isinstance(value, NO_DICTS):
            script.report_at("P106", node, "this does not return a dict", form)
            continue
        members = result_members(value)
        if members is None:
            continue
        success = members.get("success")
        has_failed = isinstance(success, ast.Constant) and success.value is False
        missing = [key for key in KEYS if key not in members and not (key == "data" and has_failed)]
        extra = [key for key in members if key not in KEYS]
        if missing:
            script.report_at("P106", value, "the result has no %s" % listed(missing),
                             "give it `success`, `message` and `data`")
        if extra:
            message = "a result has only `success`, `message` and `data`, not %s" % listed(extra)
            script.report_at("P106", value, message, "move it into `data`")
        for key, kind, noun in (("success", bool, "True or False"), ("message", str, "a string")):
            given = members.get(key)
            if isinstance(given, ast.Constant) and not isinstance(given.value, kind):
                script.report_at("P106", given, "`%s` is %s, not %s" % (key, script.written(given), noun),
                                 "write %s" % noun)


def result_members(value):
    """The members of `dict(a=1)` or `{'a': 1}`; `None` if they are not visible in the source."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "dict":
        if not value.args and all(keyword.arg for keyword in value.keywords):
            return {keyword.arg: keyword.value for keyword in value.keywords}
    if isinstance(value, ast.Dict) and all(
            isinstance(key, ast.Constant) and isinstance(key.value, str) for key in value.keys):
        return {key.value: member for key, member in zip(value.keys, value.values)}
    return None
