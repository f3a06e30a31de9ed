"""A memory, and a question that is to bring it up, or is not to, though they have words in common."""

MEANT = [
    # a noun of one character, and what stands around it
    ("用户养了一只橘猫，名叫大福", "我家猫叫什么名字？"),
    ("用户养了一只橘猫，名叫大福", "我家猫多大了"),
    ("用户养了一只橘猫，名叫大福", "我家的猫不吃饭怎么办"),
    ("用户养了一只橘猫，名叫大福", "我的猫咪多大了"),
    ("用户养了一只橘猫，名叫大福", "你喜欢猫吗"),
    ("用户有一条狗叫旺财", "我们家狗狗几岁了"),
    ("用户爱看书", "推荐一本书"),
    # names that hold a word which serves a question
    ("用户喜欢玩《我的世界》", "我的世界有什么好用的模组？"),
    ("用户喜欢看《哪吒》", "哪吒好看吗？"),
    ("用户喜欢五月天", "五月天有什么好听的歌？"),
    ("用户喜欢吃有机食品", "有机蔬菜值得买吗"),
    ("用户每周做有氧运动", "有氧多久一次比较好"),
    ("用户想学习自我催眠", "自我催眠有用吗"),
    # relatives
    ("用户的爸爸喜欢钓鱼", "我父亲的爱好是什么"),
    ("用户的母亲住在苏州", "我妈住哪儿"),
    ("用户的妻子是护士", "我老婆的职业是什么"),
    ("User's father collects stamps", "A gift for dad?"),
    ("User's mom plays chess", "When is my mother at home?"),
    ("User's kids love swimming", "How old is my child?"),
    ("User's neighbours are noisy", "My neighbor rang again"),
    # other words for one thing
    ("用户的老家在绍兴", "我的籍贯是哪里"),
    ("用户的手机号是13800138000", "我的电话是多少"),
    ("用户对西红柿过敏", "番茄能吃吗"),
    # names that are words, and languages that are letters
    ("User's friend Will likes sushi", "What does Will like?"),
    ("User's friend April likes sushi", "What does April like?"),
    ("User's cousin May lives in Rome", "Where is May's house?"),
    ("User's aunt June keeps bees", "What did I tell June?"),
    ("User's friend Hope sings", "What does Hope do?"),
    ("User got a bike from Jan", "What did I get from Jan?"),
    ("User prefers C++ over Rust", "Is C++ good for games?"),
    ("User prefers C++ over Rust", "is c++ any good?"),
    ("User works with C#", "What is new in C#?"),
    ("User learns R at university", "How do I sort in R?"),
    ("User is learning Go", "Is Go good for games?"),
    ("用户在学C++", "C++好学吗"),
    ("用户用R语言做统计", "R怎么画图"),
    ("用户在学Go语言", "用Go写爬虫难吗"),
    # letters of one form
    ("User lives at Gartenstraße", "Where is the Gartenstrasse?"),
    ("User lives at Gartenstraße", "Where is the Gartenstraße?"),
    ("Του χρήστη του αρέσει ο Όμηρος", "Ποιος ήταν ο Όμηρος;"),
    # traditional characters
    ("用戶養了一隻橘貓", "我的貓叫什麼名字？"),
    ("用戶喜歡喝綠茶", "推薦一款綠茶"),
    ("用户的猫叫豆豆", "我家貓叫什麼"),
    ("用户的妈妈叫王芳", "我媽媽叫什麼名字"),
    ("用戶的職業是護士", "我的职业是什么"),
    # what is no date
    ("User loves novels by Austen", "Recommend 3 novels"),
    ("User ran 10 marathons", "Who ran 10 marathons?"),
]
APART = [
    # single characters of what tells something order, and open nothing
    ("用户出生在绍兴", "今年生意怎么样"),
    ("用户的手机坏了", "洗手液推荐哪种"),
    # 喜欢 and what one says to a memory stand in most facts and in quotes
    ("用户不喜欢看恐怖片", "孩子不喜欢上学怎么办"),
    ("用户最喜欢的歌手是周杰伦", "孩子最喜欢什么玩具"),
    ("用户喜欢吃火锅", "猫喜欢吃什么"),
    ("记住我喜欢吃火锅", "怎么快速记住英语单词"),
    ("User likes hotpot, remember", "How can I remember names?"),
    ("User prefers tea, note it", "Please note the following"),
    ("User likes hotpot, don't forget", "Why do people forget things?"),
    ("User likes tea, save that", "How do I save a file?"),
    ("用戶不喜歡看恐怖片", "孩子不喜歡上學怎麼辦"),
    ("用戶想知道這個怎麼做", "這個怎麼用？"),
    # a noun within another word, and what is cut within one
    ("用户喜欢图书馆", "书包怎么洗"),
    ("用户养了一只猫", "猫头鹰吃什么"),
    ("用户存了钱", "外星人存在吗"),
    ("用户喜欢机票盲盒", "有机会去火星吗"),
    # relatives, and what has their characters
    ("用户的哥哥是医生", "墨西哥的首都是哪里"),
    ("用户的妈妈是医生", "他妈的怎么又报错了"),
    ("用户的爸爸喜欢钓鱼", "妈妈手机坏了"),
    ("User's father collects stamps", "A gift for my mother?"),
    # the same words without a capital, or opening a sentence
    ("User's friend Will likes sushi", "Will it rain in Paris?"),
    ("User's friend May likes sushi", "May I ask a question? I may be late"),
    ("User's friend Hope likes sushi", "Why do people hope for rain?"),
    ("User likes to go to concerts", "Is Go good for games?"),
    ("User is learning Go", "Where can I go in Paris?"),
    ("User got promoted in April 2025", "What can I plant in April?"),
    ("User got promoted in April 2025", "Is it colder in March or April?"),
    ("User works with C#", "Is C++ good for games?"),
    ("User takes vitamin C", "Is C++ good for games?"),
]
