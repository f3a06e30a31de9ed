"""What people ask of the memory in so many words: to remember something, or not to keep it (design 5.1).

What is plainly asked for is kept word for word. What only looks like a request makes a chat urgent for the
model. A request not to keep something has to fill a clause, so that orders about files and eggs are none;
it is read in English, Chinese, German, French, Spanish and Japanese.
"""

import re
from dataclasses import dataclass

from .traditional import simplified

_LENGTH = 2_000
_LOOKS_AHEAD = re.compile(r"\b(?:next|following|about to)\b|[:：]\s*$|接下来|下面|下一", re.IGNORECASE)
"""What it asks of is still to come."""
_MAX_REQUEST = 300
"""Characters of a message that may ask for one thing to be remembered."""


@dataclass(frozen=True, kw_only=True)
class Request:
    """The words a person asks to remember: `text` is `message[start:end]`."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, kw_only=True)
class OptOut:
    """A request not to keep what is said; it points back to the message before when it says nothing else."""

    points_back: bool


_PATTERNS = r"""
u = (?:you|u)
this = (?:this|that|it|these|those|the following)
please = (?:,? (?:please|pls|plz|ok(?:ay)?|thanks|thx|from now on|going forward|for (?:me|later|next time
  |the future|(?:my |your )?future reference)))
memory = (?:(?:your|my|the|any) )?(?:long-?term )?(?:memory|memories|notes|profile|records?)
lead_en = (?:(?:hi|hey|hello|thanks|thank you|ok|okay|so|also|and|now|btw|well|oh|fyi|please|pls|plz|just
  |always|from now on|(?:just )?so &u know|(?:can|could|would|will) &u|i(?:'?d like| want| need) &u to
  |make sure(?: &u| to)?|&u (?:should|must|need to)|do|kindly|try to|don'?t let me(?= forget)
  |for (?:the future|later|next time))(?: there| bot)?\W{1,3}){0,4}
verb = (?:remember(?: also)?|memori[sz]e|save|store|log|note|file|remind yourself|(?:keep
  |bear)(?: &this)? in mind|(?:(?:do not|don'?t|never) |(?<=me ))forget|(?:make|take|keep)(?: a)?
  (?: mental)? note|(?:jot|write|note)(?: &this)? down|(?:add|save|put|store|commit|log|note)(?: &this)?
   (?:to|in|into) &memory|keep track|update &memory)
later = (?:mental )?note(?: to self)?|memo|(?:one |some)?things? to remember|for (?:(?:my
   |your )?future reference|next time|later)|so &u (?:can )?remember
ask_en = &lead_en(?P<ask>&verb(?: of)?(?: &this)?(?: the fact| away)?&please{0,2}(?:,? that |\s?[:：]\s?
  |\s[-–—]\s|[,!]? (?=(?:i|i'\w+|im|my|we|we're|our|(?:the )?\w+'s) ))|(?:&later)(?:[,:]
  | -)\s)(?P<kept>[^!?\n]{6,200}?)(?:[.!]*$|(?<!\bMrs)(?<!\bMr)(?<!\bMs)(?<!\bDr)(?<!\bSt)[.!]+(?=\s)|\?$)
after_en = &lead_en(?P<kept>[^!?\n]{6,200}?)(?:[^\w\s?:'’]+\s*|\s(?=(?:so|and|pls|please) ))(?:(?:so|and
  |just|please|pls|make sure(?: &u| to)?|i want &u to) |(?P<can>(?:can|could|will|would) &u )){0,3}
  (?P<ask>(?:(?!\w+\W*$)|(?<=pls )|(?<=please ))&verb(?: of)?(?: &this)?|&later)&please{0,3}(?(can)\W*
  |[^\w?]*)$
ask_zh = (?:[\u4e00-\u9fff]{1,5}[，,！!\s]|好的|对了|以后|下次|另外|那){0,3}(?P<ask>(?:请|麻烦|拜托|劳烦
  |唔该|帮我|帮忙|能不能|能否|可以|能|你|您|一定|务必|可?[得要]|给我|千万|我?[想要希望]{1,2}让?你|这个
  |把这[个件]事?|好好|小本本){0,4}(?:(?:记(?:住|一[下笔记]|下来?|着点?|好了?|上|低|清楚|[个笔记].{0,2}
  (?=[，,：:]))|牢记|谨记|(?:[记写存录加][进入到在]|加个)(?:你的)?(?:记忆|备忘)里?(?=[：:]))(?:这件事
  |[一这]点|一件事|一下|哈|哦|啊|呀)?|记得(?=我)(?!.*吗)|(?:别|不要|唔好)(?:忘[了记]?|唔记得)(?:提醒我的事)?
  (?=[我：:])|(?:记录|备[忘注]|存|保存)(?:(?:一下|下来)?(?=[：:])|一下(?=[，,])))[：:，,\s]{0,3})
  (?P<kept>[^。！？!?\n]{3,100}?)(?:[。！!]|[吗么]?[？?]$|吗?$)
after_zh = (?:(?:你好|好的|嗯|对了|谢谢|另外)[，,！!\s]?){0,2}(?P<kept>[^。！？!?\n]{3,100}?)[，,。；;！!\s]
  {1,3}(?P<ask>(?:请|麻烦|唔该|你|您|帮我|帮忙|给我|可|要|一定|务必|千万|下次|以后|这[个点事条]){0,4}
  (?:记(?:住(?!了\W*$)|一下|下来?|着点?|好了?|得|上|录一下)|备[忘注]一下|存一下|[记写存](?:在心里
  |[进到入]你?的?记忆里?)|(?:别|不要)忘[了记]?)(?:这[个点事]|[了哈哦啊吧呀噢喔啦咯]|谢谢|多谢|拜托|好吗
  |可以吗|[，,\s])*)[。！!~～？?]*$
does = (?:is|are|was|has|have|can'?t|isn'?t|don'?t|lent|called|named|will|goes|went|got|changed|owes?
  |[a-z]+(?:ed|[aeiou][dklmnptv]es?|[dlmnrt]ks|ts|ds|ns|ys))
own = (?:i|i'm|im|i've|i'll|we|we're|from now on|always|never)\b.+|(?:my|our|there|the (?!time|day|song
  |movie)\w+|\w+'s|dad|mom|mum)\b[^:]* [^:]+|(?:(?!old|time)[\w' .]{1,40}|.*\b(?:my|our|me|us)\b.+) &does\b.+
  |[我咱].{2,}|(?:以后|今后|每次).{3,}|[^是在姓叫]{1,12}(?:是|在|姓|叫|喜欢|过敏|换|改|停|放|泊|怕|有|到).+
standing = (?:以后|今后|每次|.{0,10}一律|我更?(?:喜欢|讨厌|希望))(?!.*[你您])|(?:(?:from now on|always
  |never)\b|i (?:like|love|prefer|hate)\b)(?!.*\byou\b)
not_own = \b(?:you|your|you're|yours|yourself|if|answers?|repl(?:y|ies)|responses?|summary|essay|story|poem
  |text|paragraph|sentence|argument|parameter|variable|line \d+|translat\w+|format|json|words|rhymes?
  |function|string|(?:this|my|your|in) code(?! is \S*\d)|arrays?|lists?|files?|positive|negative|equation
  |homework|hero|instructions?|prompts?|rules?|joke)\b|^(?:that|this|it|he|she|they|time|when|how|what|why
  |use|do|don'?t|be|make|only|no|is|are|can|could|would|should|does|which|who|where)\b|\w or \w+$|^i (?:told
  |said|asked|mentioned)\b|^[xyn] |said that$|[你您]|猫娘|助手|机器人|指令|规则|回答(?!我)|回复|输出|字数
  |\d字|翻译|总结|口语|代码|题|作业|故事|小说|悲剧|单词|格式|什么|怎么|^(?:了|没|吗|的|不|这|那(?!边)
  |[他她它]|我说|我刚|我的话|我是国王)|[吗呢]$
marked = (?<!later)(?<!time)(?:[:：，-]|\bself\b.)\s*$|\bmemory\b|\bnotes\b|记忆
quoted = ["“”「」『』`*<>]|(?<!\w)'|^\s*\w+ (?:said|wrote)\b
cue = (?<!do you )(?<!did you )(?<!\bi )(?<!\bwe )(?<!can't )(?<!cant )(?<!cannot )(?<!don't )(?<!dont )
  (?<!need to )(?<!way to )(?<!how to )\bremember\b|\b(?:don'?t|do not|never) forget\b|\b(?:keep
  |bear) (?:\w+ )?in mind\b|\b(?:make|take) (?:a )?note\b|\b(?:save|store|record|log|memori[sz]e
  |note)\b(?: down)?[,:]? (?:this|that|these|it|my|our|i|i'm|the fact|down)\b|\b(?:write
  |jot)\s(?:\w+\s){0,3}down\b|\b(?:to|in|into) (?:your |the )?(?:memory|notes)\b|\bfor (?:later|the future
  |next time)\b|(?<![登书标我都])(?<!怎[么样])记(?:住|下|一下|一笔|好|着|上|低|录|个事)|牢记|谨记
  |^(?:以后)?记得|[要请]记得|记得(?=[。！!]?$)|(?:别|不要)忘|保存|存(?:一下|下|起来|到)|备[注忘](?!录)
neg_zh = (?:(?<!我)(?<!我[都就也])(?:别|不要|不用|不必|不[许准能]|不需要|无[需须]|没必要|勿|甭|唔[好使洗])
  |我?不[想希望要]{1,2}[你让]{1,2})
not_saved = \b(?:don'?t|do not|never|not|no need to|stop|without)\s(?:\w+\s){0,2}(?:remember|sav[ei]
  |stor[ei]|record|memori[sz]|not[ei]|keep)|&neg_zh(?!忘|不).{0,3}[记存备]
it = (?:&this|any(?:thing)? of (?:this|that|it)|(?:none|nothing|all) of (?:this|that)|(?:anything
  |what) i(?:'m about to)? (?:just )?(?:said|told you|wrote|say)(?: next)?|anything|(?:this|our) (?:chat
  |conversation)|my (?:last |previous )?message)
end = (?: (?:down|anywhere|info|conversation|on file|(?:to|in|into|on|from) (?:&memory|this (?:chat
  |conversation))))
keep = (?:(?:(?:save|store|remember|record|retain|memori[sz]e|keep(?: (?:a|any) (?:record|log) of)?|note
  |log|learn|hold on ?to|(?:make|take) (?:a )?note of) &it&end{0,3}|(?:write|put|add|commit
  |use) &it&end{1,3})|(?:save|store|remember|record|keep|note)(?= (?:that (?:i|my|we)|i'?m?)\b))
it_zh = [这那呢嗰个些句条段件话事它我说讲发的刚才上下前面接来以内容对信息消都就也先你跟帮把给请低头]
keep_zh = (?:(?:(?:记|写|放|存|留|加|录|保存)[入进到在]|往)(?:[你我]的?)?(?:长期)?(?:记忆|记录|资料|档案
  |备忘录|脑子)库?(?:里面?|中)?(?:[写记存])?|记(?:住|下来?|录(?:下来)?|低|着|进去)?|保存|存(?:档|储|下来?
  |起来)?|留(?:底|存|档|记录)|写下来)
said_zh = (?:(?=.{0,6}(?:我.{0,3}[说讲发]|刚|这件事|[这那上].{0,2}[句条话]))&it_zh{2,12}?)
out = (?:(?:can|could|would) &u |i'?d like &u to |make sure &u |&u (?=should))?(?:please )?(?:do not
  |don'?t(?: you dare)?|never|not|shouldn'?t)(?: ever)? &keep|(?:you )?(?:(?:don'?t|do not) (?:need|have) to
  |needn'?t|no need to) &keep|(?:i(?:'?d| would) (?:rather|prefer)(?: it)?(?: if)? you didn'?t|i (?:do not
  |don'?t) want you to) &keep|i (?:do not|don'?t) want &it (?:to be )?(?:saved|stored|remembered|recorded
  |kept)&end{0,3}|&it (?:(?:should|must|does|need)(?: not|n'?t)|(?<=ne of this )should
  |(?<=ng of this )should)(?: (?:need|have) to)? be (?:saved|stored|remembered|recorded|kept)&end{0,3}
  |without (?:saving|storing|recording|remembering) &it|&it (?:isn'?t|is not) for &memory|(?:can you
   |you can )?(?:forget|erase|delete|disregard)(?: (?:what|that|everything|anything)){0,2} i (?:(?:just|ever
  |even) )?(?:said|told you|wrote|mentioned)(?: that| this| it| anything| about .{2,40})?|(?:delete|erase
  |forget|wipe|scratch|remove) (?:my (?:last|previous) message|this conversation|&it from &memory)&end{0,3}
  |(?:(?<=please )|(?<=pls ))forget &this|forget &this (?:after|once|when) .{2,40}|you can forget &this
  (?: again| now| afterwards)?|(?:keep|leave) &it out of &memory|strike &this from the record|(?:&it(?:'s| is
  | stays)? |(?:let'?s )?keep &it )?(?:just |strictly |only )?(?:off the record|between (?:us|you and me)
  (?: only)?)|&it_zh{0,12}&neg_zh&it_zh{0,12}&keep_zh&it_zh{0,12}[了哈啊哦吧啦呀]{0,2}|(?:别
  |不要)把我.{1,6}记(?:住|下来)|(?:请|麻烦|帮我){0,2}(?:(?:忘掉|忘了|忘记|删掉|忽略)&said_zh[吧了]?
  |把&said_zh(?:从记忆里)?(?:忘掉|忘了|忘记|删掉|忽略)吧?)|&it_zh{0,8}[当當]我?(?:什么都
  |刚才说的)?[没冇][说听][过见]?[吧哈]?|(?=.*\bnichts?\b)(?:(?:das|dies|es|davon|bitte|dir|nichts?|musst
  |brauchst|soll(?:te)?|du) ){1,6}(?:zu )?(?:(?:ab|ge)?speicher[nt]|(?:ge)?merk(?:en|t)|aufschreiben
  |notier(?:en|t)|aufzeichnen|festhalten)(?: werden)?|(?:speicher|merk|schreib|notier)e?(?: (?:dir|das|dies
  |es|bitte|davon)){0,4} nichts?(?: auf)?|speichere? (?:das|dies|es) (?:bitte )?nicht ab|vergiss das
   (?:bitte )?wieder|vergiss was ich (?:gerade |eben )?gesagt habe|(?:(?:das bleibt|nur) )?unter uns
  |(?=.*\b(?:pas|rien)\b)(?:merci de )?n(?:e |')(?:pas |rien )?(?:l'|le |la |te )?(?:souviens|enregistre|note
  |retiens|retenir|garde|mémorise|sauvegarde)[rzs]?(?: (?:pas|rien))?(?: de)?(?: (?:ça|cela|ceci))?(?: en
   (?:mémoire|tête))?(?: s'il te plaît| stp)?|oublie[zs]? ce que (?:j'ai dit|je t'ai dit|je viens de dire)
  |je ne veux pas que tu (?:gardes|retiennes|enregistres) (?:ça|cela)|pas besoin de (?:retenir|garder
  |noter) (?:ça|cela)|entre nous|(?=[a-z ]*\bno )(?:(?:no (?:quiero|hace falta) que|prefiero que
  |que) )?(?:no )?(?:lo |la |te )?(?:guard|recuerd|acuerd|anot|registr|memori[cz]|apunt)(?:e|es|ar
  |arlo)(?: nada)?(?: de)?(?: (?:esto|eso|nada))?|olvida (?:lo|eso) que (?:te )?(?:he dicho|dije)
  |entre nosotros|(?:[これそのことは今を話]{2,6})?(?:覚え|保存し|記録し|メモし|記憶し|(?:記録|記憶
  |メモ)に残さ)(?:ないで(?:ください|下さい|ね)?|(?:ておか)?なくて(?:も)?(?:いい|大丈夫)(?:です)?よ?)
  |(?:さっき|今)(?:言った|の)(?:こと|話)?は?忘れて(?:ください|ね)?|ここだけの話(?:だけど)?
opt_out = (?:(?:please|pls|plz|but|and|so|just|ok|also|bitte|aber|und|por favor|pero|mais|esto|但是?|不过
  |请|麻烦|千万) ?){0,3}(?:&out)(?P<own> (?:that (?:i|my|we)|(?<!it )(?<!this )i'?m?|que|dass)\b.{2,80})?
  (?: (?:please|pls|plz|bitte|por favor|ok|thanks)){0,2}
clause = [.!?;:\n…~。！？；：，、,()（）]+|$|\s(?:but|aber|pero|mais)\s|\s(?:and|so|und)\s(?=(?:please|pls
  |do not|don'?t|bitte|nicht)\s)
noise = \W*|never mind(?: that)?|please|pls|thanks?|ok(?:ay)?|s'il te plaît|bitte|por favor|谢谢|拜托
  |悄悄告诉你|私下说|(?:不要|别)留|[哈嗯哦]
"""
"""Names and their patterns; what is indented goes on, and `&name` stands for a pattern from further up."""


def _read(table: str) -> dict[str, re.Pattern[str]]:
    patterns: dict[str, str] = {}
    for line in simplified(table).replace("\n  ", "").strip().splitlines():
        name, pattern = line.split(" = ", 1)
        patterns[name] = re.sub("&([a-z_]+)", lambda used: f"(?:{patterns[used[1]]})", pattern)
    return {name: re.compile(pattern, re.IGNORECASE) for name, pattern in patterns.items()}


_IS = _read(_PATTERNS)
_MORE_SENTENCES = re.compile(r"[.!?。！？]\s*[^\s.!?。！？]")


def _plain(text: str, length: int = _LENGTH) -> str:
    return simplified(text[:length].replace("’", "'"))


def remembered(text: str) -> Request | None:
    """What a message plainly asks to remember, word for word, when it says little else.

    An errand for the bot, an instruction about the task at hand and a question ask for nothing of the kind.
    """
    plain = _plain(text, _MAX_REQUEST + 1).rstrip()
    if len(plain) > _MAX_REQUEST or plain.count("\n") > 1 or _IS["quoted"].search(plain):
        return None
    opening = len(plain) - len(plain.lstrip())
    asked = (_IS[way].match(plain, opening) for way in ("ask_en", "after_en", "ask_zh", "after_zh"))
    for found in filter(None, asked):
        start, kept = found.start("kept"), found["kept"].rstrip(" ,，")
        if _is_to_keep(found["ask"], kept) and len(_MORE_SENTENCES.findall(plain, found.end("kept"))) <= 1:
            return Request(text=text[start : start + len(kept)], start=start, end=start + len(kept))
    return None


def _is_to_keep(ask: str, kept: str) -> bool:
    """Whether it is of the speaker and their world; a mark behind the request says that it is."""
    if not _IS["marked"].search(ask) and not _IS["own"].fullmatch(kept):
        return False
    return bool(_IS["standing"].match(kept)) or not _IS["not_own"].search(kept)


def asks_to_remember(text: str) -> bool:
    """Whether the words look like a request to keep something in memory; a wrong yes costs an early call."""
    return bool(_IS["cue"].search(_plain(text))) or bool(remembered(text))


def asks_to_save(text: str) -> bool:
    """Whether a person's message is reason enough to keep for good what a model saves of its words."""
    return asks_to_remember(text) and not _IS["not_saved"].search(_plain(text))


def asks_not_to_keep(text: str) -> OptOut | None:
    """Whether a message asks not to keep what is said, and whether it says anything else."""
    read = text if len(text) <= 2 * _LENGTH else f"{text[:_LENGTH]}\n{text[-_LENGTH:]}"
    plain = re.sub(r"(vergiss|olvida|oublie),", r"\1", _plain(read, 2 * _LENGTH + 1), flags=re.IGNORECASE)
    clauses = [clause.strip(" \t*") for clause in _IS["clause"].split(plain)]
    asked = [_IS["opt_out"].fullmatch(clause) for clause in clauses]
    if not any(asked):
        return None
    says_more = any(found["own"] for found in asked if found)
    rest = (clause for clause, found in zip(clauses, asked, strict=True) if not found)
    alone = not says_more and all(_IS["noise"].fullmatch(clause) for clause in rest)
    return OptOut(points_back=alone and not _LOOKS_AHEAD.search(plain))
