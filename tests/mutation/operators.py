"""The changes that `make mutate` makes to a source file, one at a time, each as the whole changed text.

Operators work on the syntax tree and replace bytes of the source. Not changed is what no test can see (docstrings,
annotations, what Unattributed tells besides its code, which no verdict has, and guards that raise RuntimeError or
TypeError, since they say that something cannot happen), what a type checker finds (a required argument left out, None
returned where it is no answer, an unpacking of the wrong length), and what another mutant covers (`==` turned where the
whole condition is already held true and held false).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

COMPARISONS: dict[type[ast.cmpop], tuple[str, ...]] = {
    ast.Eq: ("!=",),
    ast.NotEq: ("==",),
    ast.Lt: ("<=", ">="),
    ast.LtE: ("<", ">"),
    ast.Gt: (">=", "<="),
    ast.GtE: (">", "<"),
    ast.Is: ("is not",),
    ast.IsNot: ("is",),
    ast.In: ("not in",),
    ast.NotIn: ("in",),
}
ARITHMETIC: dict[type[ast.operator], str] = {
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "+",
    ast.Mod: "+",
    ast.FloorDiv: "*",
    ast.BitOr: "&",
    ast.BitXor: "|",
}
GUARDS = ("RuntimeError", "TypeError")
# Their every field is required.
REQUIRED = (
    "Accounts",
    "ActionTaken",
    "Damage",
    "Fault",
    "Forfeit",
    "HandInPlay",
    "HandRecord",
    "Match",
    "Owed",
    "Owes",
    "Pending",
    "Player",
    "Refused",
    "Rule",
    "TermsRead",
    "Unjudged",
)


class Mutant(NamedTuple):
    """One change: its place (lines from 1), which operator made it, what it does, and the whole changed source.

    `inside` says whether it is in the body of a function or in a module's table, which a running process can exchange.
    """

    line: int
    inside: bool
    operator: str
    what: str
    source: bytes


class _Source:
    """A file by lines, to find a node's bytes and to put others in their place."""

    def __init__(self, data: bytes, tree: ast.Module) -> None:
        self.data = data
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        tables = [
            node
            for node in tree.body
            if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Dict)
        ]
        self._inside = {inner for node in (*functions, *tables) for inner in ast.walk(node)}
        self._starts = [0]
        for line in data.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def changed(self, node: ast.expr | ast.stmt | ast.keyword, operator: str, what: str, source: bytes) -> Mutant:
        return Mutant(node.lineno, node in self._inside, operator, what, source)

    def span(self, node: ast.expr | ast.stmt | ast.keyword) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = self._starts[node.lineno - 1] + node.col_offset
        return start, self._starts[node.end_lineno - 1] + node.end_col_offset

    def text(self, node: ast.expr | ast.stmt | ast.keyword) -> str:
        start, end = self.span(node)
        return self.data[start:end].decode()

    def mutant(self, operator: str, node: ast.expr | ast.stmt | ast.keyword, new: str) -> Mutant:
        start, end = self.span(node)
        # Other lines stay where they are.
        new += "\n" * self.data.count(b"\n", start, end) if isinstance(node, ast.stmt) else ""
        source = self.data[:start] + new.encode() + self.data[end:]
        return self.changed(node, operator, f"{_short(self.text(node))}  ->  {_short(new)}", source)

    def without(self, operator: str, node: ast.expr | ast.keyword) -> Mutant:
        """The source without this element or argument, and the comma behind it or before it."""
        start, end = self.span(node)
        behind = end + len(self.data[end:]) - len(self.data[end:].lstrip())
        if self.data[behind : behind + 1] == b",":
            end = behind + 1
        else:
            start = len(self.data[:start].rstrip())
            start -= self.data[start - 1 : start] == b","
        source = self.data[:start] + self.data[end:]
        return self.changed(node, operator, f"{_short(self.text(node))}  left out", source)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 90 else line[:87] + "..."


def mutants(data: bytes) -> list[Mutant]:
    """Every mutant of a source file, in the order of its lines; each of them compiles."""
    tree = ast.parse(data)
    source = _Source(data, tree)
    covered = _covered(tree)
    found = [mutant for node in _visible(tree) if node not in covered for mutant in _of(source, node)]
    return sorted([mutant for mutant in found if _compiles(mutant.source)], key=lambda mutant: mutant.line)


def _covered(tree: ast.AST) -> set[ast.AST]:
    """The nodes that are not changed by themselves."""
    covered: set[ast.AST] = set()
    for node in ast.walk(tree):
        match node:
            case ast.If(test=ast.Compare(ops=[op]) as test) | ast.IfExp(test=ast.Compare(ops=[op]) as test):
                if isinstance(op, ast.Eq | ast.NotEq | ast.Is | ast.IsNot | ast.In | ast.NotIn):
                    covered.add(test)
            case ast.comprehension(ifs=ifs):
                covered |= {test for test in ifs if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Is)}
            case ast.Assign(targets=[ast.Tuple()], value=ast.Tuple() as value):
                covered.add(value)
            case ast.Dict(keys=keys):
                covered |= {key for key in keys if key is not None}
            case ast.DictComp(key=key) | ast.Subscript(slice=key):
                covered.add(key)
            case ast.FunctionDef(returns=returns) if "None" not in ast.unparse(returns or ast.Constant("")):
                covered |= {inner for inner in ast.walk(node) if isinstance(inner, ast.Return)}
    return covered


def _compiles(source: bytes) -> bool:
    try:
        compile(source, "mutant", "exec")
    except SyntaxError:
        return False
    return True


def _visible(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes that a test could tell from others."""
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns", "type_params", "ctx", "decorator_list"):
            continue
        for node in value if isinstance(value, list) else [value]:
            if not isinstance(node, ast.AST) or _invisible(node):
                continue
            yield node
            yield from _visible(node)


def _invisible(node: ast.AST) -> bool:
    match node:
        case ast.Expr(value=ast.Constant(value=str())) | ast.Import() | ast.ImportFrom():
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.Raise(exc=ast.Call(func=ast.Name(id="Unattributed")) as call):
            # The raise itself is changed; what it tells is not gone into.
            call.keywords = []
        case ast.If(body=[ast.Raise(exc=ast.Call(func=ast.Name(id=name)))]):
            return name in GUARDS
    return False


def _of(source: _Source, node: ast.AST) -> Iterator[Mutant]:
    match node:
        case ast.Compare(ops=[op]):
            left, right = source.text(node.left), source.text(node.comparators[0])
            for new in COMPARISONS[type(op)]:
                yield source.mutant("comparison", node, f"({left} {new} {right})")
        case ast.Compare():
            # a <= b < c: one end after the other.
            terms = [node.left, *node.comparators]
            for place, op in enumerate(node.ops):
                for new in COMPARISONS[type(op)]:
                    ops = [_symbol(o) for o in node.ops]
                    ops[place] = new
                    parts = [source.text(terms[0])]
                    parts += [f"{o} {source.text(term)}" for o, term in zip(ops, terms[1:], strict=True)]
                    yield source.mutant("comparison", node, f"({' '.join(parts)})")
        case ast.BoolOp(op=op, values=values):
            word = " or " if isinstance(op, ast.And) else " and "
            yield source.mutant("and/or", node, "(" + word.join([f"({source.text(v)})" for v in values]) + ")")
            same = " and " if isinstance(op, ast.And) else " or "
            for left_out in range(len(values)):
                rest = [f"({source.text(v)})" for place, v in enumerate(values) if place != left_out]
                yield source.mutant("and/or term", node, "(" + same.join(rest) + ")")
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield source.mutant("not", node, f"({source.text(operand)})")
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            yield source.mutant("sign", node, source.text(operand))
        case ast.BinOp(op=op, left=left_term, right=right_term) if type(op) in ARITHMETIC:
            new = f"({source.text(left_term)} {ARITHMETIC[type(op)]} {source.text(right_term)})"
            yield source.mutant("arithmetic", node, new)
        case ast.AugAssign(op=op) if type(op) in ARITHMETIC:
            new = f"{source.text(node.target)} {ARITHMETIC[type(op)]}= {source.text(node.value)}"
            yield source.mutant("arithmetic", node, new)
            yield source.mutant("statement", node, "pass")
        case ast.Constant(value=bool(value)):
            yield source.mutant("constant", node, str(not value))
        case ast.Constant(value=int(value)):
            yield source.mutant("constant", node, str(value + 1))
            if value:
                yield source.mutant("constant", node, "0")
        case ast.If() | ast.While() | ast.IfExp():
            for new in ("True", "False"):
                if not (isinstance(node, ast.While) and new == "True") and source.text(node.test) != new:
                    yield source.mutant("condition", node.test, new)
        case ast.comprehension(ifs=ifs):
            for test in ifs:
                for new in ("True", "False"):
                    yield source.mutant("condition", test, new)
        case ast.Return(value=ast.expr() as value) if source.text(value) != "None":
            yield source.mutant("return", node, "return None")
        case ast.Raise():
            yield source.mutant("raise", node, "pass")
        case ast.Expr(value=ast.Call()):
            yield source.mutant("statement", node, "pass")
        case ast.Continue() | ast.Break():
            yield source.mutant("loop", node, "pass")
        case ast.Call():
            yield from _of_call(source, node)
        case ast.Dict(keys=keys, values=values):
            yield from _of_rows(source, keys, values)
        case ast.Tuple(elts=elements, ctx=ast.Load()) if len(elements) > 1:
            for element in elements:
                yield source.without("element", element)


def _of_call(source: _Source, node: ast.Call) -> Iterator[Mutant]:
    name = source.text(node.func)
    for keyword in node.keywords:
        if keyword.arg is not None and name not in REQUIRED:
            yield source.without("argument", keyword)
    if name in ("min", "max"):
        yield source.mutant("call", node.func, "max" if name == "min" else "min")
    if name == "Rule":
        # A row of the table: what it checks, and what it does.
        for keyword in node.keywords:
            if keyword.arg == "check" and source.text(keyword.value) != "_nothing_to_check":
                yield source.mutant("row", keyword.value, "_nothing_to_check")
            if keyword.arg == "apply" and source.text(keyword.value) != "_link_only":
                yield source.mutant("row", keyword.value, "_link_only")


def _of_rows(source: _Source, keys: list[ast.expr | None], values: list[ast.expr]) -> Iterator[Mutant]:
    """A table without one of its rows."""
    for key, value in zip(keys, values, strict=True):
        if key is not None:
            (start, _), (_, end) = source.span(key), source.span(value)
            end += source.data[end:].startswith(b",")
            changed = source.data[:start] + source.data[end:]
            yield source.changed(key, "row", f"{_short(source.text(key))}  left out", changed)


def _symbol(op: ast.cmpop) -> str:
    return {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}[type(op)]
