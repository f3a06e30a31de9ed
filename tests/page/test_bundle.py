"""The page's modules as one: what is known is bundled, and anything else is refused at its line."""

from pathlib import Path

import pytest

from tests.page.bundle import NotBundledError, bundled
from tests.page.page_texts import PAGE


def written(folder: Path, **modules: str) -> Path:
    for name, text in modules.items():
        (folder / f"{name}.js").write_text(text, encoding="utf-8")
    return folder / "main.js"


def test_every_module_of_the_page_is_bundled_once_and_line_for_line() -> None:
    text = bundled(PAGE / "main.js")
    modules = sorted(path.relative_to(PAGE).as_posix() for path in PAGE.rglob("*.js"))
    assert sorted(name for name in modules if text.count(f'$modules["{name}"] = ') == 1) == modules
    lines = sum(path.read_text(encoding="utf-8").count("\n") for path in PAGE.rglob("*.js"))
    assert text.count("\n") == lines + 3 * len(modules) + 1


def test_an_import_has_the_name_that_it_is_given(tmp_path: Path) -> None:
    entry = written(
        tmp_path,
        main='import {\na as b, c\n} from "./a.js";\nimport d from "./d.js";\nimport * as e from "./d.js";',
        a="export const a = 1;\nconst own = 2;\nexport { own as c };\n",
        d="export default { d: 1 };\n",
    )
    assert bundled(entry).splitlines()[1:] == [
        '$modules["a.js"] = await (async () => { const a = 1;',
        "const own = 2;",
        "",
        "",
        "return { a: a, c: own };",
        "})();",
        '$modules["d.js"] = await (async () => { const $default = { d: 1 };',
        "",
        "return { default: $default };",
        "})();",
        '$modules["main.js"] = await (async () => { const { a: b, c: c } = $modules["a.js"];',
        "",
        "",
        'const { default: d } = $modules["d.js"];',
        'const e = $modules["d.js"];',
        "return {  };",
        "})();",
    ]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("import './a.js';", "this form is not known"),
        ("export let a = 1;", "this form is not known"),
        ("export * from './a.js';", "this form is not known"),
        ("export default 1;", "this form is not known"),
        ("const a = import('./a.js');", "this form is not known"),
        ("const a = import.meta.url;", "this form is not known"),
        ("import { b } from './a.js';", "it does not export b"),
        ("export { b } from './a.js';", "it does not export b"),
        ("import { a } from './b.js';", "there is no such file"),
        ("import { a } from './main.js';", "it imports in a circle"),
    ],
)
def test_what_is_not_known_is_refused_at_its_line(tmp_path: Path, line: str, why: str) -> None:
    entry = written(tmp_path, main=f"const before = 'export';\n{line}\n", a="export const a = 1;\n")
    with pytest.raises(NotBundledError, match=rf"main\.js:2: .*: {why}$"):
        bundled(entry)
