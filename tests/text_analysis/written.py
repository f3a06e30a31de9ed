"""Texts with dates as people write them, those that there never were among them."""

from hypothesis import strategies as st

_FORMS = (
    "{year:04}-{month:02}-{day:02}",
    "{year}/{month}/{day}",
    "{year}.{month:02}.{day:02}",
    "{year}年{month}月{day}日",
    "{year}年{month}月{day}号",
    "{year}年{month}月",
    "{year}年",
    "{month}月{day}日",
    "{day} {name} {year}",
    "the {day}th of {name}, {year}",
    "{name} {day}, {year}",
    "{name} the {day}st",
    "{name} {year}",
    "in {year}",
    "order {year:04}-{month:02}-{day:02}-77",
)
_NAMES = ("January", "Feb", "feb.", "March", "may", "June", "Sept", "December", "")
_AROUND = (
    "{}",
    "My visa ends {}.",
    "我的签证{}到期。",
    "I was born on {}, tomorrow",
    "下周三，{}",
    "on Monday, {}",
)


@st.composite
def _full_date(draw: st.DrawFn) -> str:
    date = draw(st.sampled_from(_FORMS)).format(
        year=draw(st.sampled_from((0, 1, 1234, 1990, 2024, 2025, 2026, 9999)) | st.integers(0, 9999)),
        month=draw(st.integers(0, 13) | st.just(99)),
        day=draw(st.integers(0, 32) | st.just(99)),
        name=draw(st.sampled_from(_NAMES)),
    )
    return draw(st.sampled_from(_AROUND)).format(date)


FULL_DATES = _full_date()
