from time import process_time

import pytest
from astrbot_plugin_ltm.long_term_memory.policies.slots import canonical, is_exclusive, is_of_now, slot_of
from astrbot_plugin_ltm.long_term_memory.write.rules_en import read_clause as read_en
from astrbot_plugin_ltm.long_term_memory.write.rules_zh import read_clause as read_zh
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("home_city", "home_city"),
        ("City", "home_city"),
        ("current location", "home_city"),
        ("user_residence", "home_city"),
        ("所在地", "home_city"),
        ("Occupation", "job"),
        ("workplace", "employer"),
        ("date of birth", "birthday"),
        ("婚姻状况", "marital_status"),
        ("preferred-name", "nickname"),
        ("favorite_color", "favourite_color"),
        ("Favourite Food", "favourite_food"),
        ("最喜欢的颜色", "favourite_颜色"),
        ("pet", "pet"),
        ("Some Thing", "some_thing"),
        ("", ""),
    ],
)
def test_a_slot_has_one_name_however_it_is_written(written: str, name: str) -> None:
    assert canonical(written) == name


@given(st.text(max_size=40))
def test_the_one_name_of_a_slot_is_its_own(written: str) -> None:
    assert canonical(canonical(written)) == canonical(written)


def test_only_what_has_one_answer_at_a_time_is_exclusive() -> None:
    one = ("name", "home_city", "employer", "job", "age", "birthday", "marital_status", "favourite_food")
    many = ("", "pet", "allergy", "child", "hobby", "language", "friend", "anything else")
    assert [is_exclusive(slot) for slot in (*one, *many)] == [True] * len(one) + [False] * len(many)


@pytest.mark.parametrize(
    ("proposed", "key", "fact", "slot"),
    [
        ("location", "", "User lives in Beijing", "home_city"),
        ("", "user city", "User moved to Shanghai", "home_city"),
        ("", "", "User lives in Oslo", "home_city"),
        ("", "", "用户住在上海", "home_city"),
        ("nonsense", "", "用户的职业是老师", "job"),
        ("", "", "User works at Siemens", "employer"),
        ("", "", "用户在华为上班", "employer"),
        ("", "", "User is 30 years old", "age"),
        ("", "", "用户今年30岁", "age"),
        ("", "", "User is divorced", "marital_status"),
        ("marital_status", "", "User is not married", "marital_status"),
        ("age", "", "User just turned thirty", "age"),
        ("age", "", "User's age: 31", "age"),
        ("age", "", "用户三十一岁", "age"),
        ("age", "", "用户31周岁", "age"),
        ("age", "", "用户年龄31", "age"),
        ("age", "", "User is one of three siblings", ""),
        ("school", "", "User's school is MIT", "school"),
        ("school", "", "User's university is the University of Oslo", "school"),
        ("school", "", "User's school is called MIT", "school"),
        ("school", "", "User's school is 清华大学", "school"),
        ("school", "", "User's school is École Polytechnique", "school"),
        ("age", "", "User is 34 years of age", "age"),
        ("age", "", "用户的年龄是31，住在北京", "age"),
        ("age", "", "用户是21岁学生", "age"),
        ("age", "", "用户是25岁会计", "age"),
        ("age", "", "User is 34", "age"),
        ("age", "", "User is 34 and lives in Oslo", "age"),
        ("school", "", "用户的学校是清华", "school"),
        ("school", "", "User's old school is in Leeds", ""),
        ("", "", "User's name is Will", "name"),
        ("name", "", "User wants to be called Al", "nickname"),
        ("", "", "用户希望被称为小王", "nickname"),
        ("job", "", "User works as a wedding planner", "job"),
        ("job", "", "User works as a travel agent", "job"),
        ("job", "", "用户是将军", "job"),
        ("favorite_food", "", "User's favorite food is sushi", "favourite_food"),
        ("pet", "", "User has a dog", "pet"),
        ("home_city", "", "User relocated to Lyon", "home_city"),
        ("employer", "", "User got a new job at OpenAI", "employer"),
        ("employer", "", "User was just hired by OpenAI", ""),
        ("employer", "", "User has been hired by OpenAI", "employer"),
        ("employer", "", "用户入职了腾讯", "employer"),
        ("", "", "用户在联想工作", "employer"),
        ("", "", "用户在理想汽车工作", "employer"),
        ("job", "", "用户的理想是当老师", ""),
        ("diet", "", "User is vegan", "diet"),
        ("dietary_preference", "", "User eats meat again", "diet"),
        ("diet", "", "User does not eat meat", "diet"),
        ("饮食", "", "用户吃素", "diet"),
        ("school", "", "User studies at MIT", "school"),
        ("university", "", "User is a student at MIT", "school"),
        ("学校", "", "用户在北京大学读书", "school"),
        ("age", "", "User is a 30-year-old nurse", "age"),
        ("age", "", "User turned 30", "age"),
        ("age", "", "用户30岁了", "age"),
        ("age", "", "用户2026年30岁", "age"),
        ("birthday", "", "User's birthday is May 3", "birthday"),
        ("birthday", "", "用户出生于1990年5月", "birthday"),
        ("weight", "", "User weighs 70 kg", "weight"),
        ("weight", "", "User's weight is 70 kg", "weight"),
        ("体重", "", "用户体重70公斤", "weight"),
        ("", "", "User likes tea", ""),
        ("name", "", "用户的名字是小美", "name"),
    ],
)
def test_a_fact_holds_the_slot_it_answers(proposed: str, key: str, fact: str, slot: str) -> None:
    assert slot_of(proposed, key, fact, fact) == slot


@pytest.mark.parametrize(
    ("proposed", "fact"),
    [
        ("home_city", "User used to live in Oslo"),
        ("home_city", "User lived in Oslo"),
        ("home_city", "User plans to move to Tokyo"),
        ("home_city", "User is moving to Tokyo next month"),
        ("home_city", "User no longer lives in Oslo"),
        ("home_city", "User does not live in Oslo"),
        ("home_city", "User lives in a small flat"),
        ("home_city", "User is visiting Paris this week"),
        ("home_city", "User's mother lives in Oslo"),
        ("home_city", "User likes Oslo"),
        ("home_city", "用户以前住在北京"),
        ("home_city", "用户打算搬到上海"),
        ("home_city", "用户不再住在北京"),
        ("home_city", "用户住在公寓里"),
        ("home_city", "用户这周在北京出差"),
        ("home_city", "用户的妈妈住在北京"),
        ("job", "User also works as a barista"),
        ("job", "User has a part-time job"),
        ("job", "用户兼职做摄影师"),
        ("name", "User's dog's name is Rex"),
        ("name", "用户的女儿叫小美"),
        ("favourite_food", "User likes sushi"),
        ("home_city", "User lived in Oslo as a child"),
        ("home_city", "用户小时候住在北京"),
        ("home_city", "用户在北京住过三年"),
        ("home_city", "用户上大学的时候住在武汉"),
        ("employer", "用户在腾讯工作过三年"),
        ("job", "用户当过老师"),
        ("diet", "User is lactose intolerant"),
        ("dietary_restriction", "User avoids gluten"),
        ("饮食习惯", "用户不吃香菜"),
        ("diet", "用户不吃辣"),
        ("diet", "用户每天吃维生素"),
        ("school", "User graduated from Harvard University"),
        ("school", "User has a degree from Harvard"),
        ("school", "用户毕业于清华大学"),
        ("school", "用户本科就读于清华大学"),
        ("age", "User has a 5-year-old son"),
        ("age", "User is 5 feet tall"),
        ("age", "User is 3 months pregnant"),
        ("age", "User is 10 km from work"),
        ("age", "User is a 2-time champion"),
        ("age", "User is 5 years into the job"),
        ("age", "用户年龄比妹妹大3岁"),
        ("age", "用户五岁学钢琴"),
        ("school", "User's school is far away"),
        ("school", "User's university is on strike"),
        ("school", "用户的大学是在北京毕业的"),
        ("school", "用户的学校是寄宿制"),
        ("age", "User has been married for 30 years"),
        ("age", "用户有个5岁的儿子"),
        ("age", "用户5岁开始学钢琴"),
        ("birthday", "User's wedding anniversary is on May 3"),
        ("birthday", "User's birthday party is on Saturday"),
        ("birthday", "用户的结婚纪念日是5月3日"),
        ("weight", "User lost 5 kg"),
        ("weight", "User's weight loss is 5 kg"),
        ("weight", "用户体重减了5公斤"),
    ],
)
def test_what_is_past_or_planned_or_one_more_or_of_another_holds_no_exclusive_slot(
    proposed: str, fact: str
) -> None:
    assert slot_of(proposed, "", fact, fact) == ""


NO_CITY = [
    "in student housing",
    "in apartment 4B",
    "in Building 7",
    "in room 12",
    "on the third floor",
    "in company accommodation",
    "in dorms",
    "in hotels",
    "in downtown",
    "in town",
    "in suburbia",
    "in quiet suburbs",
    "in a big city",
    "in a small town",
    "in a quiet neighbourhood",
    "in the countryside",
    "in a trailer",
    "by the sea, abroad",
    "in Europe",
    "in constant fear",
    "in exile",
    *(
        "在三楼",
        "在12层",
        "在3号楼",
        "在302",
        "在顶楼",
        "在地下室",
        "在三室一厅",
        "在员工宿舍",
        "在单身公寓",
        "在出租屋",
    ),
    *(
        "在合租房里",
        "在万科小区",
        "在郊区",
        "在市区",
        "在市中心",
        "在城里",
        "在县城",
        "在小县城",
        "在农村",
        "在乡下",
        "在山里",
    ),
    *(
        "在校外",
        "在海边",
        "在国外",
        "在外地",
        "在南方",
        "在大城市",
        "在二环",
        "在对面",
        "在地铁站旁边",
        "在离公司很近的地方",
    ),
    *("在婆婆家", "在老家", "在女朋友家", "在外面", "得很远", "院两周", "校三年"),
]
CITIES = [
    "in Oslo",
    "in Cape Town",
    "in Mexico City",
    "in the Seattle area",
    "in downtown Chicago",
    "in student housing in Leeds",
    "in a small town in Ohio",
    "in Oslo in a quiet area",
    "in Building Springs",
    "in new york",
    *(
        "在北京",
        "在上海浦东",
        "在杭州西湖区",
        "在深圳市南山区",
        "在北京三环",
        "在上海的一套公寓里",
        "到了北京的公寓",
        "到了上海浦东三楼",
        "在常熟市区",
        "在纽约",
    ),
    *(
        "在马德里",
        "在新德里",
        "在名古屋",
        "在清远",
        "在太原",
        "在汉中",
        "在延边",
        "在内江",
        "在房山",
        "在张家口",
        "在石家庄",
    ),
    *("在三亚", "在九江", "在五指山", "在海口", "在乐山"),
]


@pytest.mark.parametrize("where", NO_CITY)
def test_what_kind_of_place_somebody_lives_in_is_no_city(where: str) -> None:
    fact = f"User lives {where}" if where.isascii() else f"用户住{where}"
    assert slot_of("home_city", "", fact, fact) == ""


@pytest.mark.parametrize("where", CITIES)
def test_where_the_city_is_said_it_is_the_home(where: str) -> None:
    fact = f"User lives {where}" if where.isascii() else f"用户住{where}"
    assert slot_of("home_city", "", fact, fact) == "home_city"


@pytest.mark.parametrize("unit", ["in the ", "in a b c ", "在", "在离", "到的", "住在三", "in student "])
def test_no_fact_takes_long_to_be_found_without_a_city(unit: str) -> None:
    fact = (unit * 500)[:500]
    started = process_time()
    slot_of("home_city", "", fact, fact)
    assert process_time() - started < 0.1


def test_a_birthday_says_when_and_is_ones_own() -> None:
    for fact in ("User's birthday is May 5", "User was born on 5/5", "用户的生日是农历八月十五"):
        assert slot_of("birthday", "", fact, fact) == "birthday"
    for fact in ("User's birthday is soon", "用户的生日是女儿2020年5月", "用户的生日快到了"):
        assert slot_of("birthday", "", fact, fact) == ""


@pytest.mark.parametrize("words", ["I also work as a barista", "我还兼职做咖啡师"])
def test_one_more_is_heard_from_the_words_the_fact_rests_on(words: str) -> None:
    fact = "User works as a barista"
    assert slot_of("job", "", fact, words) == ""
    assert slot_of("job", "", fact, f"{words} {'and so on ' * 20}") == "job"


@pytest.mark.parametrize(
    "said",
    ["my name is Alice", "call me Al", "I live in Oslo", "I work as a nurse", "I work at Siemens",
     "my birthday is May 3", "I was born in May 1990"],
)  # fmt: skip
def test_the_slots_of_the_english_rules_are_known(said: str) -> None:
    told = read_en(said)
    assert told
    assert slot_of(told.slot, "", told.fact, said) == told.slot != ""


@pytest.mark.parametrize(
    "said",
    ["我叫王小明", "叫我小王", "我住在北京", "我是一名老师", "我在华为公司上班", "我的生日是5月3日"],
)
def test_the_slots_of_the_chinese_rules_are_known(said: str) -> None:
    told = read_zh(said)
    assert told
    assert slot_of(told.slot, "", told.fact, said) == told.slot != ""


def test_only_what_is_so_now_is_of_now() -> None:
    assert is_of_now("User lives in Oslo")
    assert is_of_now("User was born in Oslo")
    assert is_of_now("User has worked at Siemens for years")
    assert not is_of_now("User was a nurse")
    assert not is_of_now("用户曾经是护士")
    assert is_of_now("用户在联想上班")
    assert not is_of_now("用户想去日本")
