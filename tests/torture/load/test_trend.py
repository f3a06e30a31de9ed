"""What the soak judges by would see what it is to see."""

import os
import random
from pathlib import Path

import pytest

from tests.stores import migrated

from .sampling import pages, sampled
from .trend import Point, by_window, per_hour, quantile

pytestmark = pytest.mark.torture


def samples(growth: float, noise: float) -> list[Point]:
    """Half-minute samples of nearly two hours, some of them far off."""
    chance = random.Random("samples")  # noqa: S311  the same each time
    return [
        Point(at, 300 + growth * at / 3_600 + chance.gauss(0, noise) + 40 * (chance.random() < 0.1))
        for at in range(0, 6_000, 30)
    ]


@pytest.mark.parametrize("growth", [-3.0, 0.0, 0.5, 2.0])
def test_a_leak_of_two_megabytes_an_hour_is_told_from_half_a_megabyte(growth: float) -> None:
    assert per_hour(samples(growth, 1.0)) == pytest.approx(growth, abs=0.4)


def test_one_point_has_no_slope() -> None:
    with pytest.raises(ValueError, match="one point"):
        per_hour([Point(0, 1)])


def test_quantiles_are_of_the_values_of_each_span() -> None:
    points = [Point(at, at % 10) for at in range(100)]
    assert by_window(points, 50, 0.5) == [Point(0, 5), Point(50, 5)]
    assert by_window([], 50, 0.5) == []
    assert quantile([3, 1, 2], 1.0) == 3


def test_every_page_of_a_database_belongs_to_a_table_or_to_nobody(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    file = migrated(tmp_path / "data" / "data_v4.db")
    found = pages(file)
    assert found["not explained"] == 0
    assert {"ltm_items", "ltm_fts", "ltm_events"} <= set(found)
    sample = sampled(os.getpid(), tmp_path, 1.0)
    assert sample.rss >= sample.anonymous > 1
    assert sample.sizes["database"] == file.stat().st_size
    assert min(sample.threads, sample.descriptors) >= 1
