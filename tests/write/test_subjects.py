import pytest
from astrbot_plugin_ltm.long_term_memory.write.ground import ground

from tests.write.fakes import event
from tests.write.made import a_candidate

OF_OTHERS = [
    ("I have a friend who is vegan", "User is vegan"),
    ("I know a guy who lives in Oslo", "User lives in Oslo"),
    ("I met a woman who has diabetes", "User has diabetes"),
    ("I have a sister who lives in Oslo", "User lives in Oslo"),
    ("I visited my sister, who lives in Oslo", "User lives in Oslo"),
    ("I know someone who is allergic to nuts", "User is allergic to nuts"),
    ("I hate that my sister is vegan", "User is vegan"),
    ("A friend of mine is vegan", "User is vegan"),
    ("One of my friends is vegan", "User is vegan"),
    ("Someone I know has diabetes", "User has diabetes"),
    ("The woman I live with is vegan", "User is vegan"),
    ("A guy I work with has diabetes", "User has diabetes"),
    ("My friend who I met in Paris is allergic to nuts", "User is allergic to nuts"),
    ("My mom who lives with me is vegan", "User is vegan"),
    ("My classmate is vegan", "User is vegan"),
    ("My landlord is allergic to nuts", "User is allergic to nuts"),
    ("My patient has diabetes", "User has diabetes"),
    ("My hubby is allergic to nuts", "User is allergic to nuts"),
    ("My sister is a student at MIT", "User is a student at MIT"),
    ("Bob from work is vegan", "User is vegan"),
    ("Taylor Swift is 34", "User is 34 years old"),
    ("The president is 78 years old", "User is 78 years old"),
    ("My sister lives in Oslo and I visit her often", "User lives in Oslo"),
    ("I'm vegan while my wife eats meat", "User eats meat"),
    ("I am a nurse and Bob is a doctor", "User is a doctor"),
    ("小明对花生过敏", "用户对花生过敏"),
    ("小红怀孕了", "用户怀孕了"),
    ("张三对花生过敏", "用户对花生过敏"),
    ("隔壁老王是警察", "用户是警察"),
    ("我有个朋友对花生过敏", "用户对花生过敏"),
    ("我一个同学住在上海", "用户住在上海"),
    ("我认识的一个人有糖尿病", "用户有糖尿病"),
    ("我们班的小明住在上海", "用户住在上海"),
    ("我婆婆对花生过敏", "用户对花生过敏"),
    ("我前女友住在上海", "用户住在上海"),
    ("我小姨是护士", "用户是护士"),
    ("我大学室友吃素", "用户吃素"),
]
OF_ONESELF = [
    ("I'm a guy who lives in Oslo", "User lives in Oslo"),
    ("I'm someone who loves tea", "User loves tea"),
    ("I am a nurse who lives in Oslo", "User lives in Oslo"),
    ("I have a son who is 5", "User has a son who is 5"),
    ("I have a friend who lives with me in Oslo", "User lives in Oslo"),
    ("Allergic to nuts, btw", "User is allergic to nuts"),
    ("vegan here", "User is vegan"),
    ("Just moved to Oslo", "User moved to Oslo"),
    ("My doctor put me on insulin", "User takes insulin"),
    ("The company I work for is Siemens", "User works for Siemens"),
    ("The city I live in is Oslo", "User lives in Oslo"),
    ("My wife and I live in Rome", "User lives in Rome"),
    ("Jazz is the best", "User likes jazz"),
    ("My job as a teacher is hard", "User works as a teacher"),
    ("Coffee gives me migraines", "User gets migraines from coffee"),
    ("My sister lives in Oslo and I live in Rome", "User lives in Rome"),
    ("I'm vegan while my wife eats meat", "User is vegan"),
    ("Bob gave me a cat", "User has a cat"),
    ("She is my wife", "User has a wife"),
    ("The exam is on Friday", "User has an exam on Friday"),
    ("The project uses Python", "The project uses Python"),
    ("对花生过敏", "用户对花生过敏"),
    ("我叫小明，今年30岁，住在北京，平时喜欢爬山", "用户喜欢爬山"),
    ("周末喜欢爬山", "用户周末喜欢爬山"),
    ("老是不吃早饭", "用户不吃早饭"),
    ("小时候被狗咬过", "用户小时候被狗咬过"),
    ("我有一个女儿，住在上海", "用户住在上海"),
    ("我一个人住在上海", "用户住在上海"),
    ("我和女朋友住在上海", "用户住在上海"),
    ("我同事送了我一只猫", "用户有一只猫"),
    ("我学生时代住在上海", "用户学生时代住在上海"),
    ("我是护士，我老公是医生", "用户是护士"),
    ("咱家有三只猫", "用户有三只猫"),
]
TWO_SISTERS = "My sister Anna is vegan and my brother Tom is a doctor"


@pytest.mark.parametrize(("said", "fact"), OF_OTHERS)
def test_the_life_of_another_is_not_the_speakers(said: str, fact: str) -> None:
    assert ground(a_candidate(fact, quote=said), [event(said)]).doubt


@pytest.mark.parametrize(("said", "fact"), OF_ONESELF)
def test_what_one_says_of_oneself_is_no_doubt(said: str, fact: str) -> None:
    assert ground(a_candidate(fact, quote=said), [event(said)]).doubt == ""


@pytest.mark.parametrize(
    ("said", "person", "fact", "doubt"),
    [
        (TWO_SISTERS, "Tom", "Is vegan", "person_differs"),
        (TWO_SISTERS, "Anna", "Is vegan", ""),
        (TWO_SISTERS, "Tom", "Is a doctor", ""),
        ("Anna is vegan and Tom is a doctor", "Tom", "Is vegan", "person_differs"),
        ("Tom is a nurse, Anna is a pilot", "Tom", "Is a pilot", "person_differs"),
        ("My sister is vegan and my brother is a doctor", "brother", "Is vegan", "person_differs"),
        ("My sister is vegan and my brother is a doctor", "sister", "Is vegan", ""),
        ("My brother's wife is pregnant", "wife", "Is pregnant", "person_differs"),
        ("My brother's wife is pregnant", "brother", "Is pregnant", "person_differs"),
        ("My brother's wife is pregnant", "brother's wife", "Is pregnant", ""),
        ("My brother's wife is pregnant", "brother", "His wife is pregnant", ""),
        ("My mother-in-law is diabetic", "mother", "Is diabetic", "person_differs"),
        ("My mother-in-law is diabetic", "mother-in-law", "Is diabetic", ""),
        ("My ex-wife is vegan", "wife", "Is vegan", "person_differs"),
        ("My ex-wife is vegan", "ex-wife", "Is vegan", ""),
        ("My mom and dad are vegan", "mom and dad", "Are vegan", ""),
        ("我哥的老婆怀孕了", "老婆", "怀孕了", "person_differs"),
        ("我哥老婆怀孕了", "哥哥的老婆", "怀孕了", ""),
        ("我姐夫是警察", "姐姐", "是警察", "quote_unrelated"),
        ("我姐夫是警察", "姐夫", "是警察", ""),
        ("我前女友住在上海", "女朋友", "住在上海", "person_differs"),
        ("我爸爸妈妈都吃素", "妈妈", "吃素", ""),
        ("My mom is great. She is a nurse", "mother", "Is a nurse", ""),
        ("My brother Tom is great. He is a nurse", "Tom", "Is a nurse", ""),
    ],
)
def test_of_two_people_each_has_what_is_said_of_them(said: str, person: str, fact: str, doubt: str) -> None:
    assert ground(a_candidate(fact, quote=said, person=person), [event(said)]).doubt == doubt
