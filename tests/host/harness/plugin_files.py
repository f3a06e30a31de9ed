"""The files of the plugin under test that ship, copied or zipped as a host gets them."""

import importlib.util
import shutil
from pathlib import Path
from types import ModuleType

PLUGIN = "astrbot_plugin_ltm"
REPOSITORY = Path(__file__).resolve().parents[3]
PLATFORM_PLUGIN = Path(__file__).resolve().parents[1] / "platform_plugin"


def copy_plugin(folder: Path, source: Path = REPOSITORY) -> None:
    """Copy what ships into a host's folder of plugins, in place of an older copy.

    With what is compiled of it already, which saves each new host half a second: Python uses it if size and
    time are those of the source.
    """
    target = folder / PLUGIN
    shutil.rmtree(target, ignore_errors=True)
    for file in _packaging().shipped_files(source):
        _copy(source / file, target / file)
        if file.suffix == ".py" and (compiled := _compiled(source / file)).exists():
            _copy(compiled, _compiled(target / file))


def zip_plugin(archive: Path, source: Path = REPOSITORY) -> Path:
    """Zip what ships, as it is released."""
    _packaging().build_zip(source, archive)
    return archive


def copy_platform_plugin(folder: Path) -> None:
    """Copy the test platform into a host's folder of plugins, in place of an older copy."""
    target = folder / "astrbot_plugin_test_platform"
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(PLATFORM_PLUGIN, target, ignore=shutil.ignore_patterns("__pycache__"))


def _copy(file: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(file, target)


def _compiled(file: Path) -> Path:
    return Path(importlib.util.cache_from_source(str(file)))


def _packaging() -> ModuleType:
    """Import the script that knows what ships; its folder is no package."""
    path = REPOSITORY / "packaging" / "build_zip.py"
    spec = importlib.util.spec_from_file_location("build_zip", path)
    if spec is None or spec.loader is None:
        raise ImportError(str(path))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
