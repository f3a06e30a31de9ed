"""Words that say that what stands near them is not what the speaker states of themselves (design 5.2, 5.3).

The rules and the grounding share them. They err on the safe side: a fact they hold back is left to the
model, or waits for a person.
"""

import re

_FRAME_EN = (
    r"\b(?:pretend(?:ing)?|imagin(?:e|ing)|role-? ?play\w*|in character|ooc|act (?:as|like)|(?:answer|speak"
    r"|respond"
    r"|reply) as|as if|translate|translation of|how do you say|rewrit(?:e|ing)|rephras(?:e|ing)"
    r"|paraphras(?:e|ing)"
    r"|proofread|correct (?:this|my)|fix (?:the|my|this)|grammar|summari[sz](?:e|ing)|summary of|lyrics"
    r"|dream(?:ed|t)|(?:had|have) (?:a|this) (?:\w+ )?(?:dream|nightmare)|hypothetical(?:ly)?"
    r"|let's play|once upon a time|the following|fwd|forwarded|continue (?:the|this"
    r"|my) \w+"
    r"|(?:write|compose|draft|generate) (?:me |us )?(?:a|an|some|the|my|about)"
    r"|(?:in|for|from) (?:the|my|this|a|an) (?:story|game|novel|movie|film|dream|book|essay|poem|song|play"
    r"|script)"
    r"|(?:here(?:'s| is)|this is|below is) (?:my|the|a|an) (?:\w+ )?(?:essay|story|poem|text|draft|article"
    r"|letter"
    r"|e-?mail|resume|cv|novel|chapter|script|song|passage|paragraph|dialogue|excerpt|review)"
    r"|my (?:novel|fanfic|oc|character)|(?:a|the) story)\b"
)
_FRAME_ZH = (
    r"假装|扮演|角色|剧本|台词|设定|故事[里中：:]|(?:小说|作文|文章|剧)(?:里|中|片段|节选|的?开头|[：:])"
    r"|游戏[里中]"
    r"|想象|翻译|润色|造句|改写|续写|仿写|扩写|缩写|总结|概括|摘要|归纳|改一?下|批改|病句|语法"
    r"|(?:下面|以下|这)(?:是|这)?一?[段篇](?:话|文|小说|故事|作文|对话|内容)?|(?:下面|以下)是|下面的|原文"
    r"|转发|从前有"
    r"|写一?[个首篇段封句]|怎么说|歌词|梦[里到]|梦见"
)
_KIDDING = r"\b(?:kidding|joking|jk)\b|开玩笑|骗你|逗你|瞎说|胡说"
_EXAMPLE = r"\b(?:example|e\.g\.|for instance)|例如|比如|譬如"

FRAMES = re.compile(f"{_FRAME_EN}|{_FRAME_ZH}", re.IGNORECASE)
"""From here on the words may be a text to work on, a story or a part somebody plays."""
NOT_IN_EARNEST = re.compile(f"{_FRAME_EN}|{_FRAME_ZH}|{_KIDDING}|{_EXAMPLE}", re.IGNORECASE)
"""Anywhere in a message, they keep the rules from all of it."""
EXAMPLES = re.compile(_EXAMPLE, re.IGNORECASE)

SUPPOSES = re.compile(
    r"\b(?:if(?! possible\b)|whether|unless|suppos(?:e|ing)|pretend|imagine|wish|hypothetically)\b"
    r"|如果|假如|假设|要是|若是|倘若|万一",
    re.IGNORECASE,
)
_OF_ONESELF = re.compile(
    r"\b(?:as )?(?:i|we)(?:'ve| have)? (?:already |just )?(?:said|told|mentioned|say|tell)\b"
    r"|\bguess what\b|\blet me (?:say|tell)\b|\bdid i (?:say|tell|mention)\b|\btell you (?:what|something)\b"
    r"|\bto tell (?:you )?the truth\b|\bwant(?:ed)? to (?:say|tell you)\b"
    r"|(?<![^，,。！!\s我想要])告诉(?:你|您|大家)"
    r"|\b(?:that is|i'd|have|to) (?:to )?say\b|说(?:实话|真的|真话|起来|到|来)|老实说|顺便说|小说|[会能]说"
    r"|我(?:已经|刚才?|之前)?(?:说过?|告诉过?)|别忘|不要忘",
    re.IGNORECASE,
)
_REPORTS = re.compile(
    r"\b(?:say|says|saying|said|tell|tells|told|asked|asks|wrote|claims?|claimed|believes?|heard|thinks?"
    r"|thought"
    r"|guess|maybe|perhaps|probably|might|according|nobody|no one)\b"
    r"|(?:\b(?:goes|went)|(?:\b(?:is|was|were)|['’](?:s|re)) (?:all |just )?like),"
    r"|说(?![明服])|告诉|问(?!题)|写道|声称|觉得|认为|以为|可能|也许|大概|好像|似乎|听说|没人|据",
    re.IGNORECASE,
)
_NOT_STATED = re.compile(r"\b(?:would|were|(?<!\bis )called)\b|希望(?!被)", re.IGNORECASE)
_DENIES = re.compile(
    r"\b(?:no|not|never|nobody|hardly|cannot|neither|nor|without|stop(?:s|ped|ping)?|quit|g[ai]ve up|given up"
    r"|avoid\w*|refus\w+)\b|n't\b|避免|拒绝|停止|戒|不(?![过错仅但同])|没(?!问题)|(?<!特)别(?![的人])",
    re.IGNORECASE,
)
_DO_NOT_FORGET = re.compile(r"\b(?:do not|don't|never)\s{1,3}forget\b|(?:别|不要)忘", re.IGNORECASE)
_TAKEN_BACK = re.compile(
    r"\bnot?\W*$|\s/s\b|\b(?:not really|no more|yeah right|in my dreams|in another life"
    r"|is what (?:he|she|they)|said|says|kidding|joking|jk|i wish)\b"
    r"|才怪|其实不|其实没|并不|不是真|假的|骗你|逗你|开玩笑|想得美|才不|不再",
    re.IGNORECASE,
)
_TAKES_BACK_NEXT = re.compile(
    r"(?:(?:haha|lol|oh|well|wait|um)[, ]{1,2})?(?:no|nope|not|not really|not true|or not|psych|lies"
    r"|never)\W*$"
    r"|(?:haha |lol |just |i'm |i am )?(?:just )?(?:kidding|joking|jk|psych)\b"
    r"|(?:哈+[，,]?)?(?:才怪|骗你|开玩笑|假的|并不|其实不|其实没|不是[的啦]?$|才没有?|逗你|不对|没有啦)",
    re.IGNORECASE,
)
MOCKS = re.compile(
    r"^(?:(?:oh|wow|lol|(?:ha){2,})\b,? )?(?:great|wonderful|fantastic|perfect|lovely|brilliant|sure|yay|joy"
    r"|yeah right)\b\s{0,3},",
    re.IGNORECASE,
)
"""How a sentence begins that likes something in mockery."""
JESTS = re.compile(
    r"^\W{0,3}(?:(?:(?:ha){2,}h?|(?:he){2,}|lol|lmao)\b[,! ]{1,3}(?:oh )?(?:sure|right"
    r"|of course|yeah right|yeah sure)"
    r"|(?:oh )?yeah,? (?:right|sure))\b\s{0,3},"
    r"|^哈{2,}[，, ]{0,2}(?:当然|对对?对?|是是?是?|可不是?|行吧)(?:啊|呀|了)?[，, ]",
    re.IGNORECASE,
)
"""How a sentence begins that says the contrary of what is so: "haha sure, I'm the king"."""


def reports(words: str) -> bool:
    """Whether words tell what somebody else says or thinks, or what is only guessed."""
    return bool(_REPORTS.search(_OF_ONESELF.sub(" ", words)))


def denies(words: str) -> bool:
    """Whether the words before a statement deny it; "don't forget" does not."""
    return bool(_DENIES.search(_DO_NOT_FORGET.sub(" ", words)))


def is_playful(words: str, fact: str) -> bool:
    """Whether words play, frame a text or take themselves back, while the fact made of them does not."""
    return any(sign.search(words) and not sign.search(fact) for sign in (FRAMES, _TAKEN_BACK))


def takes_back(rest: str, following: str) -> bool:
    """Whether the rest of a sentence, or the sentence after it, takes back what was stated."""
    return bool(_TAKEN_BACK.search(rest) or _TAKES_BACK_NEXT.match(following))


def is_in_earnest(sentence: str, following: str) -> bool:
    """Whether nothing in a sentence, nor what follows it, says that it is no plain statement."""
    doubtful = (
        SUPPOSES.search(sentence)
        or _NOT_STATED.search(sentence)
        or MOCKS.search(sentence)
        or JESTS.search(sentence)
    )
    return not (doubtful or reports(sentence) or takes_back(sentence, following))
