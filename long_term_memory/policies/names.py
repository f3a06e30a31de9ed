"""Names as people give them to themselves: shown, never obeyed, and never longer than a name."""

from .seen import seen_line

MAX_NAME = 64
"""Characters kept of a name."""
SURNAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭肖田董袁潘蒋蔡余杜叶苏魏吕丁沈姚卢姜崔钟谭陆汪范廖贾韦"
    "付邹孟熊秦邱尹薛闫侯史陶黎贺顾郝龚邵严覃戴莫孔汤"
)
"""The commonest Chinese family names, without those that begin common words as well."""


def plain_name(name: str) -> str:
    """The name on one line, without characters that show nothing or turn the text around, and cut."""
    line = seen_line(name[: MAX_NAME * 8])
    return line if len(line) <= MAX_NAME else f"{line[: MAX_NAME - 1]}…"
