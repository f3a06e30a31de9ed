"""The modules of the page as one module: each further file costs a browser that is watched 8 ms.

Each module becomes a function that returns its exports. Its text stays line for line, without the statements
that import and export. Only the forms that the page uses are known: no circular import, no changing export.
"""

import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

_STATEMENT = re.compile(
    r"""(?:^|(?<=[;}]))(?:
        import\s*(?:\{(?P<names>[^{}]*)\}|\*\ as\ (?P<all>\w+)|(?P<name>\w+))\s*from\s*(["'])(?P<of>[^"']+)\4;
        |export\s*\{(?P<listed>[^{}]*)\}(?:\s*from\s*(["'])(?P<again>[^"']+)\7)?;?
        |export\ (?P<default>default)\ (?=\{|function\()
        |export\ (?=(?:const|class|(?:async\ )?function)\ (?P<declared>\w+))
        |(?:import|export)\b
    )|\bimport(?:\(|\.meta\b)""",
    re.MULTILINE | re.VERBOSE,
)


class NotBundledError(ValueError):
    """A module has a form that is not known here, or imports what is not there."""


@cache
def bundled(entry: Path) -> str:
    """The module at this path with all that it imports, from below its folder.

    Raises:
        NotBundledError: its message begins with the file and the line that are to blame.
    """
    bundle = _Bundle(entry.parent)
    bundle.add(entry)
    return "const $modules = {};\n" + "".join(bundle.parts)


class _Bundle:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._exports: dict[Path, dict[str, str] | None] = {}
        """The exports of each module with their values in it; none before all that it imports is added."""
        self.parts: list[str] = []
        """The modules, each after all that it imports."""

    def add(self, path: Path) -> None:
        self._exports[path] = None
        text, exports = path.read_text(encoding="utf-8"), dict[str, str]()

        def put(found: re.Match[str]) -> str:
            where = f"{path}:{text.count('\n', 0, found.start()) + 1}: {found[0]}"
            return self._put(path, found, exports, where) + "\n" * found[0].count("\n")

        text_put = _STATEMENT.sub(put, text)
        given = ", ".join(f"{name}: {value}" for name, value in exports.items())
        self.parts.append(
            f"{self._called(path)} = await (async () => {{ {text_put}\nreturn {{ {given} }};\n}})();\n"
        )
        self._exports[path] = exports

    def _put(self, path: Path, found: re.Match[str], exports: dict[str, str], where: str) -> str:
        """What stands in place of a statement, whose exports are added to those of its module."""
        if found["of"]:
            names = [("default", found["name"])] if found["name"] else _pairs(found["names"] or "")
            module = self._imported(path.parent / found["of"], [name for name, _ in names], where)
            own = found["all"] or "{ " + ", ".join(f"{name}: {own}" for name, own in names) + " }"
            return f"const {own} = {module};"
        if found["listed"]:
            names = _pairs(found["listed"])
            module = ""
            if found["again"]:
                again = [name for name, _ in names]
                module = f"{self._imported(path.parent / found['again'], again, where)}."
            exports.update({name: f"{module}{own}" for own, name in names})
            return ""
        if found["default"]:
            exports["default"] = "$default"
            return "const $default = "
        if found["declared"]:
            exports[found["declared"]] = found["declared"]
            return ""
        message = f"{where}: this form is not known"
        raise NotBundledError(message)

    def _imported(self, path: Path, names: Iterable[str], where: str) -> str:
        """The expression of a module that exports these names, added if it is not yet."""
        path = path.resolve()
        if not path.is_file():
            message = f"{where}: there is no such file"
            raise NotBundledError(message)
        if path not in self._exports:
            self.add(path)
        exports = self._exports[path]
        if exports is None:
            message = f"{where}: it imports in a circle"
            raise NotBundledError(message)
        if missing := set(names) - exports.keys():
            message = f"{where}: it does not export {', '.join(sorted(missing))}"
            raise NotBundledError(message)
        return self._called(path)

    def _called(self, path: Path) -> str:
        return f"$modules[{json.dumps(path.relative_to(self._folder).as_posix())}]"


def _pairs(names: str) -> list[tuple[str, str]]:
    """What stands before and after `as`, which are the same where there is none."""
    split = [name.split() for name in names.split(",") if name.strip()]
    return [(each[0], each[-1]) for each in split]
