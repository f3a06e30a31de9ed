from collections.abc import Generator
from pathlib import Path

import pytest

from tests.torture.migrations.releases import make_host
from tests.torture.migrations.zygote import Zygote, zygote


@pytest.fixture(scope="package")
def process() -> Generator[Zygote]:
    """Where upgrades are struck."""
    with zygote() as started:
        yield started


@pytest.fixture(scope="package")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of the host's, with its own tables alone."""
    return make_host(tmp_path_factory.mktemp("host"))
