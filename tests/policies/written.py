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
    "",
    "My visa ends {}.",
    "我的签证{}到期。",
    "I was born on {}, tomorrow",
    "下周三，{}",
    "on Monday, {}",
)

FULL_DATES = st.builds(
    lambda form, around, year, month, day, name: (
        around.format(form.format(year=year, month=month, day=day, name=name))
        or form.format(year=year, month=month, day=day, name=name)
    ),
    st.sampled_from(_FORMS),
    st.sampled_from(_AROUND),
    st.sampled_from((0, 1, 1234, 1990, 2024, 2025, 2026, 9999)) | st.integers(0, 9999),
    st.integers(0, 13) | st.just(99),
    st.integers(0, 32) | st.just(99),
    st.sampled_from(_NAMES),
)
