import re

import pytest
from astrbot_plugin_ltm.long_term_memory.policies.secrets import mask
from astrbot_plugin_ltm.long_term_memory.policies.secrets.labels import LABEL, OTHER
from astrbot_plugin_ltm.long_term_memory.policies.secrets.shapes import (
    iban_holds,
    luhn_holds,
    resident_holds,
)
from astrbot_plugin_ltm.long_term_memory.policies.secrets.values import Kind
from hypothesis import example, given
from hypothesis import strategies as st

from tests.cpu_limit import cpu_limit
from tests.policies.secrets_list import LANGUAGES, exchanges, luhn_digit, ordinary, secrets

MARKS = [f"[secret:{kind}]" for kind in Kind]
EVERYTHING = [sentence.text for language in LANGUAGES for sentence in secrets(language)]
PIECES = [
    *MARKS,
    *EVERYTHING,
    *(
        "password",
        "密码",
        "pin ",
        " is ",
        "是",
        ": ",
        "=",
        '"',
        "'",
        "(",
        " ",
        ", ",
        "。",
        "\n",
        "1234",
        "abc",
    ),
    *(
        "hunter2",
        "sk-",
        "验证码",
        "my token ",
        "card 4111 1111 ",
        "username bob / ",
        "unlock it with ",
        "门禁码",
        "取件码",
        "my pass is ",
        "1111 1111",
        "助记词 ",
        "[secret:",
        "]",
        "\0",
    ),
]
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=8), max_size=8).map("".join)


@pytest.mark.parametrize("language", LANGUAGES)
def test_nineteen_of_twenty_secrets_leave_nothing_behind(language: str) -> None:
    leaking = [sentence.text for sentence in secrets(language) if sentence.leaks(mask(sentence.text))]
    assert len(leaking) <= 0.05 * len(secrets(language)), leaking


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_masked_sentence_keeps_its_other_words_and_says_what_kind_it_was(language: str) -> None:
    others = [sentence.text for sentence in secrets(language) if mask(sentence.text) != sentence.masked]
    assert len(others) <= 0.05 * len(secrets(language)), others


@pytest.mark.parametrize("language", LANGUAGES)
def test_ordinary_chat_is_left_alone(language: str) -> None:
    alarms = [text for text in ordinary(language) if mask(text) != text]
    assert len(alarms) <= 0.03 * len(ordinary(language)), alarms


@pytest.mark.parametrize(
    ("before", "secret", "kind"),
    [
        ("our wifi is called Nest and the key is ", "papaya66", "key"),
        ("wifi: Nest, key: ", "papaya66", "key"),
        ("the alarm key is ", "mango77", "key"),
        ("The Netflix key is ", "sunny88", "key"),
        ("my laptop login code is ", "xm2024", "code"),
        ("to unlock my phone type ", "258025", "password"),
        ("手机解锁", "258025", "password"),
        ("手机解锁是", "135790", "password"),
        ("电脑解锁 ", "135790", "password"),
        ("remember that the code of my front door is ", "4711", "password"),
        ("the code of my garage is ", "2468", "password"),
        ("the code of our apartment is ", "4711#", "password"),
        ("The code for the old garage door is ", "2468", "password"),
        ("the code of the front door of my mother's house is ", "4711", "password"),
        ("the code that opens the gate of our allotment is ", "8812", "password"),
        ("to get into the garage you type ", "2468", "password"),
        ("our garage door's code is ", "5512", "password"),
        ("my parents' alarm is switched off with ", "5520", "password"),
        ("the stairwell door needs ", "8844#", "password"),
        ("我妈家大门的密码是", "4711", "password"),
        ("进车库要按", "2468", "password"),
        ("自行车锁的号码是", "309", "password"),
        ("The cellar door needs the code ", "7731", "password"),
        ("The garage keypad takes ", "4482#", "password"),
        ("the elevator in our building needs code ", "3391", "password"),
        ("our garage uses the code ", "4410", "password"),
        ("the pool gate wants ", "6620#", "password"),
        ("the code on the keypad at the garage was changed to ", "6193", "password"),
        ("进单元门按", "3302#", "password"),
        ("车库门的密码改成", "6677", "password"),
        ("储物柜的锁是", "309", "password"),
        ("保险柜要按", "20931", "password"),
        ("登录码", "xm2024", "code"),
        ("支付宝登录码", "xm2025", "code"),
        ("开机码", "258025", "code"),
    ],
)
def test_keys_codes_and_unlocking_numbers_of_everyday_are_masked(before: str, secret: str, kind: str) -> None:
    assert mask(before + secret) == f"{before}[secret:{kind}]"


@pytest.mark.parametrize(
    "text",
    [
        "the key is to stay calm",
        "the key is in drawer 12",
        "the key is F5 to refresh",
        "my car key is a BMW320i",
        "the wifi is called Nest66 and the key point is speed",
        "I unlocked my phone 12 times today",
        "手机解锁很慢",
        "手机解锁要3秒",
        "解锁了258关",
        "error code 404",
        "the area code of Boston is 617",
        "the zip code of my mother's house is 10115",
        "the gate opens at 1830",
        "the product code of the door handle is 88123",
        "we put 2000 into the safe",
        "my apartment needs 1500 for the deposit",
        "The garage wants 800.",
        "My flat needs 900, heating included",
        "the house needs 5000 and some love",
        "the machine takes 500.",
        "In the apartment we use 100 to 200 kWh",
        "My house has the zip code 10115",
        "the house's zip code is 10115",
        "our apartment is in post code 80331",
        "Our flat is in area code 617",
        "the machine is showing error code 404",
        "The garage door gives error code 512",
        "the house has the product code 55123",
        "the door costs and the garage takes 700",
        "the house uses 450 in winter",
        "小区按300收费",
        "小区物业费按200收",
        "车库按500一个月租",
        "仓库按3000算",
        "车库的锁是500买的",
        "大门的锁是450换的",
        "车库要按800交押金",
        "储物柜按300押金",
        "前门现在按400收停车费",
        "我家邮编是100080",
        "小区有3391户",
        "大门的锁是300块买的",
        "大门早上0630开",
        "手机解锁2580关",
        "登录码一直收不到",
        "关键是2024年",
    ],
)
def test_keys_and_unlocking_in_other_senses_are_left_alone(text: str) -> None:
    assert mask(text) == text


def test_the_lists_are_as_long_as_they_say_and_name_every_kind() -> None:
    assert [len(secrets(language)) for language in LANGUAGES] == [150, 150]
    assert all(len(ordinary(language)) >= 150 for language in LANGUAGES)
    assert len(set(EVERYTHING)) == 300
    for language in LANGUAGES:
        assert {sentence.kind for sentence in secrets(language)} == set(Kind)


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        (
            "My name is Alice, my wifi password is sunflower22.",
            "My name is Alice, my wifi password is [secret:password].",
        ),
        ("我叫小明，支付密码是135790，记一下", "我叫小明，支付密码是[secret:password]，记一下"),
        ("密码：ａｂｃ１２３", "密码：[secret:password]"),
        ("password: sunshine", "password: [secret:password]"),
        ("my password is “open sesame now”", "my password is “[secret:password]”"),
        ("password: 'was', token: abc", "password: 'was', token: abc"),
        (
            "pay with 4111 1111 1111 1111 04/28 or 4111-1111-1111-1112",
            "pay with [secret:card] 04/28 or 4111-1111-1111-1112",
        ),
        ("DE89 3704 0044 0532 0130 00 BIC COBADEFF", "[secret:card] BIC COBADEFF"),
        ("机票刷这张 4111 1111 1111 1111", "机票刷这张 [secret:card]"),
        ("GB82 WEST 1234 5698 7654 32", "[secret:card]"),
        ("GB82 WEST 1234 5698 7654 33", "GB82 WEST 1234 5698 7654 33"),
        ("token: AKIAIOSFODNN7EXAMPLE", "token: [secret:key]"),
        ("curl -u alice:s3same https://example.com", "curl -u alice:[secret:password] https://example.com"),
        ("https://a:p@ss/w@example.com", "https://a:p@ss/w@example.com"),
        ("see https://a:p@ssw@example.com/x", "see https://a:[secret:password]@example.com/x"),
        ("Authorization: Basic dXNlcjpwYXNz0", "Authorization: Basic [secret:key]"),
        ("the sk-learn-contrib-extension package", "the sk-learn-contrib-extension package"),
        ("alice@example.com / Groove4life", "alice@example.com / [secret:password]"),
        ("username bob / S3cretPw!", "username bob / [secret:password]"),
        ("Username: bob / hunter22, thanks", "Username: bob / [secret:password], thanks"),
        ("用户名是 bob / hunter22", "用户名是 bob / [secret:password]"),
        ("wifipassword is abc123x", "wifipassword is [secret:password]"),
        ("dbpassword=s3cr3tpw9", "dbpassword=[secret:password]"),
        ("门禁码1357", "门禁码[secret:password]"),
        ("我家门禁码是1357#，别忘了", "我家门禁码是[secret:password]，别忘了"),
        ("开门码是4711", "开门码是[secret:password]"),
        ("门锁码：2580", "门锁码：[secret:password]"),
        ("取件码123456", "取件码[secret:code]"),
        ("取件码 3-2-5566", "取件码 [secret:code]"),
        ("my pin is four eight two one", "my pin is [secret:password]"),
        (
            "the pin for the card is forty-eight twenty-one, ok",
            "the pin for the card is [secret:password], ok",
        ),
        ("记住我的密码七三九二零一", "记住我的密码[secret:password]"),
        ("提款機密碼 一二三四", "提款機密碼 [secret:password]"),
        ("驗證碼 558213", "驗證碼 [secret:code]"),
        ("刚收到的短信码558213", "刚收到的短信码[secret:code]"),
        ("门锁是8864，手机锁屏 2580", "门锁是[secret:password]，手机锁屏 [secret:password]"),
        ("保险柜 38-12-50", "保险柜 [secret:password]"),
        ("the atm code is 4821", "the atm code is [secret:password]"),
        ("4821 is what i type at the atm", "[secret:password] is what i type at the atm"),
        ("what i type at the atm is 4471", "what i type at the atm is [secret:password]"),
        ("the airbnb opens with 5566", "the airbnb opens with [secret:password]"),
        ("the safe opens with 31 - 7 - 22", "the safe opens with [secret:password]"),
        ("取款机上都输 4821", "取款机上都输 [secret:password]"),
        ("my lock screen is 258013", "my lock screen is [secret:password]"),
        ("the front door opens with 5566", "the front door opens with [secret:password]"),
        ("wifi是 wanglaoji88", "wifi是 [secret:password]"),
        ("i use 'correcthorsebattery' for everything", "i use '[secret:password]' for everything"),
        ("i use hunter2222 for all my accounts", "i use [secret:password] for all my accounts"),
        ("所有网站我都用 hunter2222", "所有网站我都用 [secret:password]"),
        ("unlock with 4711", "unlock with [secret:password]"),
        ("I unlock my phone with 4711 or my thumb", "I unlock my phone with [secret:password] or my thumb"),
        ("you can unlock it with the code 4711.", "you can unlock it with the code [secret:password]."),
        ("it unlocks with 4711", "it unlocks with [secret:password]"),
        ("my pin is 4711", "my pin is [secret:password]"),
        ("my PIN is 1984", "my PIN is [secret:password]"),
        ("the pin for the garage is 2580.", "the pin for the garage is [secret:password]."),
        ("my pass is hunter2", "my pass is [secret:password]"),
        ("my pass is $ecretword", "my pass is [secret:password]"),
        ("my pass is 100%sure!", "my pass is [secret:password]"),
        ("my pass is $1234-5678", "my pass is [secret:password]"),
        ("my pass is $7/summer", "my pass is [secret:password]"),
        ("my pin is 123-456 days", "my pin is [secret:password] days"),
        ("my pass is 12-months-ago", "my pass is [secret:password]"),
        ("my pin is 123-456", "my pin is [secret:password]"),
        ("the pin is 48-21", "the pin is [secret:password]"),
        ("pass is P@ssword", "pass is [secret:password]"),
        ("pass is hun!ter!!", "pass is [secret:password]"),
        ("my pass is “open sesame now”", "my pass is “[secret:password]”"),
        ("pass: sunshine", "pass: [secret:password]"),
        ("the wifi pass is sunflower", "the wifi pass is [secret:password]"),
        ("my pin code is mellon", "my pin code is [secret:password]"),
        ("mi contraseña es gato123", "mi contraseña es [secret:password]"),
        ("mein Passwort fürs WLAN ist Sonnenblume", "mein Passwort fürs WLAN ist [secret:password]"),
        ("Kennwort: blau77", "Kennwort: [secret:password]"),
        ("mot de passe : chat99", "mot de passe : [secret:password]"),
        ("minha senha é gatinho7", "minha senha é [secret:password]"),
        ("пароль: котик99", "пароль: [secret:password]"),
        ("暗証番号は4827です", "暗証番号は[secret:password]です"),
        ("パスワードはneko99です", "パスワードは[secret:password]です"),
        ("비밀번호는 4827", "비밀번호는 [secret:password]"),
        ("routing 021000021 account 123456789", "routing 021000021 account [secret:card]"),
        ("my unlock pattern is 1-4-7-8-9-6-3", "my unlock pattern is [secret:password]"),
        ("i always type 7741 at the atm", "i always type [secret:password] at the atm"),
        ("小区门禁 3791#", "小区门禁 [secret:password]"),
        ("支付密码是八个八", "支付密码是[secret:password]"),
        ("its dkovacs / Pelican!88 if you need in", "its dkovacs / [secret:password] if you need in"),
        ("xuning / XuNing#0417", "xuning / [secret:password]"),
        ("路由器 admin/Abc2$24", "路由器 admin/[secret:password]"),
        ("my pin is four eights", "my pin is [secret:password]"),
        ("他要我身份证号办出入证 330106199205170028 安全吗", "他要我身份证号办出入证 [secret:id] 安全吗"),
        ("my NHS number is 943 476 5919", "my NHS number is [secret:id]"),
        ("NHS no. 943 476 5919", "NHS no. [secret:id]"),
    ],
)
def test_only_the_secret_is_masked(text: str, masked: str) -> None:
    assert mask(text) == masked


@pytest.mark.parametrize(
    "text",
    [
        "the password is wrong",
        "My password is the name of my dog",
        "password: str = os.environ['PW']",
        "password = getpass.getpass()",
        "password: ********",
        "my password expires in 2027",
        "the password for build v4.29.1 at alice@example.com",
        "密码：忘了",
        "密码至少12位",
        "密码是2345位的",
        "the token limit is 128000",
        "public key: see AAAAC3NzaC1lZDI1NTE5AAAAIKq1Zt",
        "order 4111 1111 1111 1111",
        "护照2019-05-01签发",
        "110101199003078888",
        "the quick brown fox jumps over the lazy dog and then runs away again quickly",
        "keyboard4K8s2Jq9Zx",
        "my gym pass is expensive",
        "The boarding pass is digital",
        "my bus pass is free",
        "my bus pass is free!!!",
        "the pass is 50% off",
        "my pass is 12-month",
        "the mountain pass is snowy",
        "the enamel pin is shiny",
        "the season pass for the lifts was non-refundable",
        "the day pass is $20",
        "a monthly pass is 120€",
        "a gym pass is $49/month",
        "the pass is $50-60",
        "the pass is $300+",
        "the pass is 5-10 minutes away",
        "the pin is 3-4 mm long",
        "the pass is 10-20% cheaper",
        "a yearly pass is 1200 euros",
        "the pin is 3cm",
        "门禁码忘了",
        "门禁码是多少",
        "门禁码坏了，打62345678",
        "my pin is one of a kind",
        "the password has three or four words",
        "密码一二三四位都行",
        "the atm is 500 meters away",
        "提款机 500米",
        "锁屏30秒",
        "门锁是2023年装的",
        "the safe opens with a key",
        "the show opens with 2000 dancers",
        "the wifi is 500 Mbps",
        "wifi is TP-Link_2F31",
        "i use 'photoshop' for everything",
        "i use 1password for all my accounts",
        "取件码还没到",
        "unlock with your fingerprint",
        "unlock with 1000 coins",
        "unlock with Face ID on an iPhone15Pro",
        "username bob / Alice",
        "it broke in tj/node#1234 and lib/redis@sha256",
        "open 9am/5pm!! or size M / 100%, one/2three, @alice/@bob99",
        "see github.com/user1! or docs/section5!, an iPhone/iPad2! or cafe / bar21! or a usb/type2$ cable",
        "Basic authentication is enough",
        "mein Passwort ist falsch",
        "olvidé mi contraseña",
        "пароль неверный",
        "パスワードは秘密です",
        "the PIN code of our village is 560001",
        "the postal code of my house is 4711",
        "the zip code of my building is 10001",
        "the booking code of my apartment is 471122",
        "the code of conduct of my building is from 1998",
        "the source code of my alarm has 4711 lines",
        "the code of the house was changed in 1998",
        "the code of the building dates from 1998",
        "please pin the note 4827",
        "门禁 2300",
        "密码是六个月前改的",
        "we meet 1900 at the gate",
        "我的身份证丢了，补办的订单号 202611251234567890",
        "单号 330106199205170028",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert mask(text) == text


def test_an_answer_is_masked_by_the_question_and_by_nothing_else() -> None:
    told = [
        (asked, answer, _marks_as_guillemets(mask(answer, asked)), wanted)
        for asked, answer, wanted in exchanges()
    ]
    wrong = [(asked, answer, masked) for asked, answer, masked, wanted in told if masked != wanted]
    assert not wrong, wrong


TOLD_OF = """\
passport number is «C01X00T47»
my passport: «X8RTT0ML5»
the passphrase is «correct horse battery staple»
the wallet passphrase was «silver river tango lamp»
the passphrase for my laptop is «orange kettle sings loudly», don't share
暗号是«天王盖地虎»
我们的暗号是«芝麻开门»
暗号就是«宝塔镇河妖»
口令是«天王盖地虎»
口令是«统一天下»
my passport renewal is due in March
passport number is on the second page
passport renewal form DS82 is here
my passport expires 2027-05-04
护照号码是九位的
a good passphrase is long and random
the passphrase is wrong again
the passphrase is wrong since yesterday evening
a passphrase is several random words
my passphrase is at least five words
暗号是电影里常见的桥段
暗号是不是太简单了
暗号是两个人才懂的
暗号是我们小时候玩的游戏
口令是错的"""


NAMED_LIKE_A_SECRET = """\
remember that my password is «hunter2secret»
my password is «supersecret2024»
My password is «secretgarden1»
my password is «secretgarden»
my password: «topsecret»
my password is «config2024»
the wifi password is «settings99»
my password is «password123»
password = «mysecretpw1»
my pin is «secret99»
记住我的密码是 «秘密花园1»
密码：«秘密花园»
wifi密码是 «秘密2024»
密码是«春天的花2020»
密码是 «mysecret2024»
my token is «abcsecret1234»
secret: «sunshine2024»
令牌：«月亮2024»
secret: 2 eggs
my secret: I love cats
令牌有3个
api key: «mysecretkey12345678»
login is bob / «Sommer2024!»
my login: bob / «Sommer2024»
登录名 bob / «Sommer2024!»
the secret garden is my favourite book
my secret is that I love cats
we play secret santa2024
the secret ingredient is 2 eggs
my password is a secret
my password is top secret
my token is secretsanta
the token limit is 128000
password = config.secret
password = settings.PASSWORD
password = db_password
password: DB_PASSWORD
password: os.environ
my login is broken / slow
login is bob / alice
login is 9am / 10am
这是个秘密
密码是我们的秘密
密码是我生日加1
密码是第2个抽屉里
我的秘密是喜欢小林"""


@pytest.mark.parametrize("line", NAMED_LIKE_A_SECRET.splitlines())
def test_a_value_that_contains_the_word_secret_is_masked_and_talk_of_secrets_is_not(line: str) -> None:
    assert re.sub(r"\[secret:\w+\]", "«»", mask(re.sub("[«»]", "", line))) == re.sub("«.*»", "«»", line)


@pytest.mark.parametrize("line", TOLD_OF.splitlines())
def test_a_passport_a_passphrase_and_a_watchword_are_masked_and_not_what_tells_of_them(line: str) -> None:
    assert re.sub(r"\[secret:\w+\]", "«»", mask(re.sub("[«»]", "", line))) == re.sub("«.*»", "«»", line)


@pytest.mark.parametrize(
    "answer",
    [
        "4111 1111 1111 1112 09/27",
        "4111111111111112 09/27",
        "4111 1111 1111 1112 expires 09/27",
        "It's 4111-1111-1111-1112 and it expires in 09/27.",
    ],
)
def test_a_mistyped_card_is_masked_beside_its_expiry_and_the_date_stays(answer: str) -> None:
    for asked in ("What is your card number and expiry date?", "卡号和有效期是多少？"):
        assert re.fullmatch(r"\D*\[secret:card\]\D*09/27\.?", mask(answer, asked))
    assert mask(answer, "What is your order number, and when was it placed?") == answer


def test_a_secret_said_before_is_masked_where_it_is_said_again() -> None:
    asked = "What PIN would you like for the card?\nCan I use 4827? My wifi password is sunflower."
    text = "4827 is fine and so is sunflower; 48271 is something else."
    assert (
        mask(text, asked) == "[secret:password] is fine and so is [secret:password]; 48271 is something else."
    )
    assert mask("I have 4827 friends", "What PIN would you like?") == "I have 4827 friends"


def test_a_mark_that_somebody_wrote_themselves_is_no_secret_that_was_told() -> None:
    assert mask("ok, thanks", "it is [secret:pin], says the bot") == "ok, thanks"


def test_the_words_of_a_wallet_are_found_behind_other_words() -> None:
    seed = "abandon ability able about above absent absorb abstract absurd abuse access accident"
    assert mask(f"write them down, they are {seed}") == "write them down, they are [secret:phrase]"


@given(TEXTS, TEXTS | st.sampled_from([asked for asked, _, _ in exchanges()]))
@example("mysql -pmysql -pmysql -psesame", "")
def test_masking_twice_is_masking_once(text: str, asked: str) -> None:
    assert mask(mask(text, asked), asked) == mask(text, asked)


@given(TEXTS)
def test_marks_that_are_there_stay(text: str) -> None:
    for mark in MARKS:
        assert mask(text).count(mark) >= text.count(mark)


@given(TEXTS)
def test_what_is_not_masked_stands_there_as_it_was_said(text: str) -> None:
    at = 0
    for part in _without_marks(mask(text)):
        at = text.index(part, at) + len(part)


@given(st.from_regex(r"[0-9]{11,18}", fullmatch=True))
def test_a_check_digit_holds_for_one_digit_alone(digits: str) -> None:
    right = luhn_digit(digits)
    assert [d for d in "0123456789" if luhn_holds(digits + d)] == [right]


def test_published_examples_hold() -> None:
    assert luhn_holds("79927398713")
    assert resident_holds("11010519491231002X")
    assert iban_holds("GB82WEST12345698765432")
    assert not resident_holds("110105194912310021")


@pytest.mark.parametrize(
    ("label", "value"),
    [
        *(
            (f"{code} code is", "483920")
            for code in ("verification", "sms", "recovery", "backup", "security", "2fa")
        ),
        *(
            (f"{code} code is", "483920")
            for code in ("one-time", "auth", "confirmation", "access", "login", "sign-in")
        ),
        *((f"{door} code is", "4839") for door in ("door", "gate", "alarm", "safe", "locker", "mailbox")),
        *(
            (f"{key}:", "x9Kd82mQz71pLw")
            for key in ("credential", "appid", "sessdata", "sessionid", "key", "secret")
        ),
        *(
            (f"{key}:", "x9Kd82mQz71pLw")
            for key in ("api key", "client secret", "wpa2 key", "token", "password")
        ),
        *(
            (f"{paper} is", "123456789")
            for paper in ("social security number", "passport", "tax id", "driver's license")
        ),
    ],
)
@pytest.mark.parametrize("before", ["", "my", "app", "gmail"])
def test_a_label_announces_a_secret_also_glued_behind_a_word(before: str, label: str, value: str) -> None:
    assert value not in mask(f"{before}{label} {value}")


@pytest.mark.parametrize(
    "said",
    ["my whiskey is Lagavulin16", "monkey: George2024", "my donkey is Benny2019", "his turkey: Gobbler2020"],
)
def test_a_word_that_ends_in_key_is_no_key(said: str) -> None:
    assert mask(said) == said


@pytest.mark.parametrize("label", ["key", "wifi key", "wifikey", "my secret", "apikey", "gmailtoken"])
def test_a_key_that_somebody_chose_is_masked(label: str) -> None:
    assert "Lagavulin16" not in mask(f"{label} is Lagavulin16")


@pytest.mark.parametrize(
    "said", [f"{'İ' * 16} my door code is 4827", "İ ПАРОЛЬ: КОТИК99", "İyi MI CONTRASEÑA ES GATO123"]
)
def test_labels_are_found_in_capitals_of_any_language(said: str) -> None:
    masked = mask(said)
    assert not any(secret in masked for secret in ("4827", "КОТИК99", "GATO123"))
    assert masked.count("İ") == said.count("İ")


@pytest.mark.parametrize("label", [LABEL, OTHER], ids=["secrets", "others"])
def test_labels_are_written_in_small_letters(label: re.Pattern[str]) -> None:
    plain = re.sub(r"\\.|\(\?P<\w+>", "", label.pattern)
    assert plain == plain.lower()


HOSTILE = (
    *("a", "1", "a1B2", " ", "key", "key=", "密码", "密码是", "password is ", "password 'a", "卡号1 "),
    *("4111 ", "DE12 3456 ", "mysql -p", "://a:", "-----BEGIN PRIVATE KEY-----", "abandon ", "eyJaaaaaaaa."),
    *("username a / ", "username ", "unlock my ", "门禁码1 ", "pass is a! "),
    *("a@b.", "is my a ", "密码1234-", "password a1b2c3 ", "[secret:key]"),
    *("4827 ", "1234, ", "a1b2c3d4 ", "one two ", "四", "phone ", "PIN "),
)


@pytest.mark.parametrize("asked", ["", "card number, CVV, PIN, passport number and password?"])
@pytest.mark.parametrize("piece", HOSTILE)
def test_no_text_takes_more_than_its_length_deserves(piece: str, asked: str) -> None:
    # Ten times the longest message: linear work takes a small part of the bound, quadratic many times it.
    text = (piece * 80_000)[:80_000]
    with cpu_limit():
        mask(text, asked)


def test_a_text_that_never_settles_is_not_kept() -> None:
    assert mask("mysql -p" * 50) == "[secret:password]"


def _marks_as_guillemets(masked: str) -> str:
    return re.sub(r"\[secret:(\w+)\]", "«»", masked)


def _without_marks(masked: str) -> list[str]:
    for mark in MARKS:
        masked = masked.replace(mark, MARKS[0])
    return masked.split(MARKS[0])
