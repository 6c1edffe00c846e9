"""Checks the tree of a script against the rules. The table of the rules is in `rule.rs`."""


class Module:
    """The names that a script binds when it is loaded, in order: name -> [(kind, node)]."""

    def __init__(self, tree):
        self.bindings = {}
        for statement in own_statements(tree.body):
            for name, kind, node in bound(statement):
                self.bindings.setdefault(name, []).append((kind, node))
        functions = {name for name, all in self.bindings.items() if any(kind == "def" for kind, _ in all)}
        for name, all in self.bindings.items():
            self.bindings[name] = [("alias" if is_alias(kind, node, functions) else kind, node)
                                   for kind, node in all]

    def of_kind(self, *kinds):
        """The public names that are bound to these kinds and not deleted afterwards."""
        return [name for name, all in self.bindings.items()
                if not name.startswith("_") and all[-1][0] != "del" and any(kind in kinds for kind, _ in all)]

    def last(self, name, kind):
        return [node for other, node in self.bindings[name] if other == kind][-1]


def is_alias(kind, node, functions):
    """Whether this assigns another name to a function, which counts as another function."""
    return kind == "value" and isinstance(node.value, ast.Name) and node.value.id in functions


def own_statements(body):
    """The statements that run in this scope, in order, including those inside `if`, `try`, `for` and so on."""
    waiting = list(reversed(body))
    while waiting:
        statement = waiting.pop()
        yield statement
        if isinstance(statement, FUNCTIONS + (ast.ClassDef,)) or is_main_only(statement):
            continue
        below = list(getattr(statement, "body", [])) + list(getattr(statement, "handlers", []))
        below += list(getattr(statement, "cases", [])) + list(getattr(statement, "orelse", []))
        waiting.extend(reversed(below + list(getattr(statement, "finalbody", []))))


def is_main_only(statement):
    """`if __name__ == '__main__':`, which does not run when a tool is loaded."""
    test = getattr(statement, "test", None)
    return (isinstance(statement, ast.If) and isinstance(test, ast.Compare)
            and isinstance(test.left, ast.Name) and test.left.id == "__name__")


def bound(statement):
    if isinstance(statement, FUNCTIONS):
        yield statement.name, "def", statement
    elif isinstance(statement, ast.ClassDef):
        yield statement.name, "class", statement
    elif isinstance(statement, (ast.Import, ast.ImportFrom)):
        for alias in statement.names:
            yield alias.asname or alias.name.split(".")[0], "import", statement
    elif isinstance(statement, ast.Delete):
        for target in statement.targets:
            for name in names(target):
                yield name, "del", statement
    elif isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        value = statement.value
        for target in getattr(statement, "targets", None) or [statement.target]:
            for name in names(target) if value is not None else []:
                is_lambda = isinstance(value, ast.Lambda) and isinstance(target, ast.Name)
                yield name, "lambda" if is_lambda else "value", statement
    elif isinstance(statement, (ast.For, ast.AsyncFor)):
        for name in names(statement.target):
            yield name, "other", statement
    elif isinstance(statement, ast.ExceptHandler):
        if statement.name:
            yield statement.name, "other", statement
    elif isinstance(statement, (ast.With, ast.AsyncWith)):
        for item in statement.items:
            for name in names(item.optional_vars) if item.optional_vars else []:
                yield name, "other", statement


def names(target):
    """The names that a target binds or deletes."""
    nodes = [node for node in ast.walk(target) if isinstance(node, ast.Name)]
    return [node.id for node in nodes if not isinstance(node.ctx, ast.Load)]


def own_nodes(function):
    """The nodes that run in the function itself, not in nested functions."""
    waiting = list(reversed(function.body))
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, FUNCTIONS + (ast.Lambda,)):
            below = node.args.defaults + [it for it in node.args.kw_defaults if it]
            below += getattr(node, "decorator_list", [])
        elif isinstance(node, ast.ClassDef):
            below = node.decorator_list + node.bases + node.keywords
        else:
            below = list(ast.iter_child_nodes(node))
        waiting.extend(reversed(below))


def listed(names):
    names = ["`%s`" % name for name in names]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def validate(script):
    """Reports violations, and returns the public function, if there is exactly one."""
    module = Module(script.tree)
    for node in ast.walk(script.tree):
        if isinstance(node, ast.ImportFrom):
            from_import(script, module, node)
    for name in module.of_kind("class"):
        public_class(script, module.last(name, "class"))
    public = module.of_kind("def", "lambda", "alias")
    defined = module.of_kind("def")
    if len(public) > 1:
        several_functions(script, module, public)
        return None
    if not defined:
        no_function(script, module, public)
        return None
    name = defined[0]
    entry = module.last(name, "def")
    rebound(script, module, name, entry)
    decorated(script, entry)
    kind_of_function(script, entry)
    parameters(script, entry)
    annotations(script, module, entry)
    results(script, entry)
    return entry


def from_import(script, module, node):
    dots, source = "." * node.level, node.module or ""
    said = "from %s%s import %s" % (dots, source, ", ".join(
        alias.name + (" as " + alias.asname if alias.asname else "") for alias in node.names))
    if node.level:
        help = "a script has no package to import from: put the code into the script, or " \
               "install it as a module and import the whole module"
    elif source == "__future__":
        help = "remove it; if an annotation needs it, write the annotation as a string"
    elif any(alias.name == "*" for alias in node.names):
        help = "write `import %s`, and `%s.NAME` for each name that you use" % (source, source)
    else:
        form = "`%s = getattr(importlib.import_module(%r), %r)`"
        forms = [form % (alias.asname or alias.name, source, alias.name) for alias in node.names[:10]]
        forms += ["and so on"] if len(node.names) > 10 else []
        has_importlib = any(kind == "import" for kind, _ in module.bindings.get("importlib", []))
        before = "" if has_importlib else "`import importlib`, then "
        help = "write " + before + ", ".join(forms)
    message = "`%s` imports part of a module; only whole modules can be imported" % shown(said)
    script.report_at("P004", node, message, help)


def no_function(script, module, public):
    if public:
        name = public[0]
        node = next(node for kind, node in module.bindings[name] if kind in ("lambda", "alias"))
        target = getattr(node, "targets", [node])[0]
        return script.report_at("P005", target, "`%s` is not defined by `def`" % name,
                                "write `def %s(tool_input: dict) -> dict:`" % name)
    private = [(name, node) for name, all in module.bindings.items() for kind, node in all if kind == "def"]
    if private:
        name, node = private[0]
        if name.startswith("_"):
            why, help = "begins with `_` and is private", "call it `%s`" % (name.strip("_") or "execute")
        else:
            why, help = "is deleted", "do not delete it"
        message = "the script has no public function: `%s` %s" % (name, why)
        return script.report("P005", *script.name_place(node), message, help)
    script.report("P005", 0, 0, "the script has no public function",
                  "write `def execute(tool_input: dict) -> dict:`, with any name that does not begin with "
                  "`_`; methods of classes do not count")


def several_functions(script, module, public):
    nodes = {name: next(node for kind, node in module.bindings[name] if kind in ("def", "lambda", "alias"))
             for name in public}
    public = sorted(public, key=lambda name: script.place(nodes[name]))
    second = nodes[public[1]]
    place = script.name_place(second) if isinstance(second, FUNCTIONS) else script.place(second)
    lines = ["`%s` (line %d)" % (name, nodes[name].lineno) for name in public]
    if len(lines) > 20:
        lines[20:] = ["and %d more" % (len(lines) - 20)]
    message = "the script has %d public functions, but must have one: %s" % (len(public), ", ".join(lines))
    script.report("P006", *place, message,
                  "keep one; rename the others so that they begin with `_`, or nest them in it")


def public_class(script, node):
    script.report("P101", *script.name_place(node),
                  "the class `%s` is public, but only the function should be" % node.name,
                  "call it `_%s`" % node.name)


def rebound(script, module, name, entry):
    """Reports what is assigned to the name after the function is defined."""
    all = module.bindings[name]
    after = all[max(index for index, (_, node) in enumerate(all) if node is entry) + 1:]
    for kind, node in after:
        if kind == "value" and isinstance(node, ast.Assign) \
                and isinstance(node.value, (ast.Call, ast.Name, ast.Attribute)):
            script.report_at("P102", node, "the value of `%s` after this line is unknown" % name,
                             "call the inner function `_%s`, and define `%s` with `def`" % (name, name))
        elif kind != "alias":
            script.report_at("P010", node, "after this line `%s` is no longer the function of line %d"
                             % (name, entry.lineno), "use another name here")
    defined = [node for kind, node in all if kind == "def"]
    # Definitions in different branches of `if` or `try` are alternatives. In the same block the last one wins.
    homes = {id(statement): number for number, body in enumerate(bodies(script.tree)) for statement in body}
    for earlier, later in zip(defined, defined[1:]):
        if homes[id(earlier)] == homes[id(later)]:
            message = "`%s` is already defined in line %d; this definition is used" % (name, earlier.lineno)
            script.report("P103", *script.name_place(later), message, "remove one of the two")


def bodies(tree):
    """The blocks of statements outside of functions and classes."""
    yield tree.body
    for statement in own_statements(tree.body):
        if not isinstance(statement, FUNCTIONS + (ast.ClassDef,)):
            for field in ("body", "orelse", "finalbody"):
                yield getattr(statement, field, [])


def decorated(script, entry):
    for decorator in entry.decorator_list:
        written = script.written(decorator)
        if written in ("property", "classmethod", "staticmethod"):
            message = "`@%s` outside of a class makes `%s` not callable"
            script.report_at("P010", decorator, message % (written, entry.name), "remove the decorator")
        else:
            message = "`@%s` may replace `%s` by something else"
            script.report_at("P102", decorator, message % (written, entry.name),
                             "remove the decorator, unless it returns a function that takes one dict")


def kind_of_function(script, entry):
    if isinstance(entry, ast.AsyncFunctionDef):
        start, _ = script.place(entry)
        message = "`%s` is an `async` function, but nothing awaits it" % entry.name
        return script.report("P008", start, start + len("async"), message,
                             "write `def`, and use `asyncio.run(…)` inside it")
    for node in own_nodes(entry):
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            message = "`yield` makes `%s` a generator, which does not return a dict" % entry.name
            return script.report_at("P009", node, message, "collect the values and return them as `data`")


def parameters(script, entry):
    arguments = entry.args
    plain = getattr(arguments, "posonlyargs", []) + arguments.args
    help = "write `def %s(%s: dict) -> dict:`" % (entry.name, plain[0].arg if plain else "tool_input")

    def refuse(argument, message):
        # Marks only the name, not the annotation.
        start, _ = script.place(argument)
        script.report("P007", start, start + len(argument.arg.encode("utf-8", "replace")), message, help)

    if not plain and not arguments.vararg and not arguments.kwonlyargs and not arguments.kwarg:
        return script.report("P007", *script.name_place(entry),
                             "`%s` has no parameter; a tool is called with one dict" % entry.name, help)
    for extra in plain[1:]:
        refuse(extra, "`%s` is one parameter too many: a tool is called with one dict that has all arguments"
               % extra.arg)
    if arguments.vararg:
        refuse(arguments.vararg, "`*%s` is not a dict: a tool has exactly one parameter" % arguments.vararg.arg)
    for extra in arguments.kwonlyargs:
        refuse(extra, "`%s` is keyword-only: a tool is called with one dict" % extra.arg)
    if arguments.kwarg:
        refuse(arguments.kwarg, "`**%s` does not receive the arguments: a tool is called with one dict"
               % arguments.kwarg.arg)
