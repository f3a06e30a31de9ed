"""Messages as people type them to a bot, beside the facts that rules may find in them without a model.

One message a line, then ` | ` and the facts it states. Rules need not find each of them, but nothing else.
Even lines served to write the rules, odd lines to judge them.
"""

ENGLISH = """
hey so im vegan, any ideas for dinner? | User is vegan
i live in austin btw, whats the weather like this weekend? | User lives in austin
lol ok im allergic to peanuts so no pad thai 😭 | User is allergic to peanuts
my names jake btw | User's name is jake
i hate cilantro tbh | User hates cilantro
im 27 and still cant cook lol | User is 27 years old
so i work at target and my shift starts at 6, what should i eat before | User works at target
Im a nurse so i work nights, any sleep tips?? | User works as a nurse
can u recommend a book? i love fantasy novels | User loves fantasy novels
my cat is called Mochi and she keeps waking me up 🐱 | User's cat is called Mochi
we have two kids and im exhausted | User has two kids
i have 2 dogs, how often should i walk them? | User has 2 dogs
gluten free recipes pls, i have celiac | User has celiac disease
I don't drink coffee, anything else to wake me up? | User does not drink coffee
i dont eat pork, whats good at a bbq place | User does not eat pork
just turned 30 last week, feeling old haha | User is 30 years old
ok thanks! im lactose intolerant tho so no cheese | User is lactose intolerant
call me Sam please | User wants to be called Sam
Hi! I'm Priya, I'm learning Spanish | User's name is Priya | User is learning Spanish
my bday is march 3rd!! any party ideas | User's birthday is march 3rd
i'm from Brazil but my english is ok i guess | User is from Brazil
I really love hiking, where should I go in October? | User loves hiking
im a software engineer and my back hurts, stretches? | User works as a software engineer
honestly i cant stand horror movies, suggest something light | User cannot stand horror movies
my wife's name is Elena and her birthday is soon, gift ideas? | User's wife is called Elena
im vegetarian now, so update the plan | User is vegetarian
i live in Chicago so delivery is fine | User lives in Chicago
i'm diabetic, is this dessert ok? | User has diabetes
we moved to Denver last month and i know nobody here | User lives in Denver
I'm severely allergic to shellfish. can i eat at this place? | User is allergic to shellfish
i prefer tea over coffee so gift me tea lol | User prefers tea over coffee
i'm a high school teacher, help me write a quiz | User works as a high school teacher
i play guitar btw, got any easy songs? | User plays guitar
my birthday's on July 19, what sign am i? | User's birthday is July 19
ugh i'm allergic to cats but my gf wants one | User is allergic to cats
I speak Portuguese and a bit of French | User speaks Portuguese
i have asthma, is running safe? | User has asthma
I work for Siemens, been there forever | User works at Siemens
hey, my name is Tomás 👋 can you help me plan a trip? | User's name is Tomás
im a student so cheap please | User is a student
yo im 19, too late to learn piano? | User is 19 years old
i'm not a fan of mushrooms |
i love dark roast coffee ☕ what beans should i get | User loves dark roast coffee
I have a daughter, she's 4, what toys are good? | User has a daughter
thx. btw i dont eat meat | User does not eat meat
I'm kosher, any snacks? |
i've been living in Lisbon for 3 yrs, still cant speak it | User lives in Lisbon
my dog's name is Biscuit and he's chewing everything!! help | User's dog is called Biscuit
i drive a 2015 civic, makes weird noise | User drives a 2015 civic
i use linux at home, does it run there? |
as a vegan what protein is best | User is vegan
I'm a freelance designer, how do taxes work? | User works as a freelance designer
penicillin gives me hives, im allergic to penicillin | User is allergic to penicillin
i go by Max, not Maxwell | User wants to be called Max
i have a nut allergy so careful with desserts | User is allergic to nuts
my favorite color is teal, pick a theme | User's favorite color is teal
i'm married with three kids and zero time | User is married
Im type 1 diabetic fyi | User has type 1 diabetes
i like spicy food, surprise me 🌶️ | User likes spicy food
my job is boring, im an accountant | User works as an accountant
evenin all, bus driver here, split shifts. when do i even sleep | User works as bus driver
im coming off a breakup but also i hate cooking so lazy dinners pls | User hates cooking
heya, im a first year apprentice plumber, explain soldering | User works as a first year apprentice plumber
quick q im allergic to bees n got stung by a wasp, worry? | User is allergic to bees
my lad oscar is 6 n obsessed w sharks, party games | User's son is called Oscar
i have ibs so spicy stuff is out, curry alternatives | User has ibs
wife's name is Marisol, write her an anniversary note | User's wife is called Marisol
im 16 n wanna start lifting, beginner routine | User is 16 years old
we're in brooklyn w 2 kids n no car, weekend ideas | User has 2 kids
im hindu vegetarian so no eggs either | User is vegetarian
grew up in ohio so i say pop not soda, is that weird | User grew up in Ohio
i drive a 2012 prius n the check engine light is on | User drives a 2012 prius
i work in insurance, boring i know. jokes for the party? | User works in insurance
my daughters called elif, turkish lullabies pls | User's daughter is called elif
help!! my rabbit pepper chewed thru a cable is she ok | User's rabbit is called pepper
my dog waffles wont walk in rain, tricks? | User's dog is called waffles
""".strip().splitlines()

CHINESE = """
我对花生过敏，能推荐零食吗 | 用户对花生过敏
我是素食者，晚饭吃啥好？ | 用户是素食者
我在杭州，周末去哪玩啊 |
本人坐标成都，求推荐火锅店 | 用户住在成都
我叫小雨，请多关照～ | 用户的名字是小雨
俺今年28了，还能转行吗 | 用户28岁
我不吃香菜！！每次都忘了说😂 | 用户不吃香菜
我住在上海浦东，离虹桥机场远不远？ | 用户住在上海浦东
我是护士，天天上夜班，怎么补觉 | 用户的职业是护士
我家猫叫年糕，最近老是吐毛球怎么办 | 用户的猫叫年糕
我养了两只猫，猫粮推荐一下呗 | 用户养了两只猫
我乳糖不耐受，喝什么奶好 | 用户乳糖不耐受
我有糖尿病，能吃西瓜吗？ | 用户有糖尿病
我生日是8月15号，星座是啥来着 | 用户的生日是8月15号
哈哈我最喜欢吃辣了，给我推荐个川菜馆 | 用户喜欢吃辣
我讨厌下雨天，烦死了 | 用户讨厌下雨天
我是程序员，颈椎疼咋办😭 | 用户的职业是程序员
我在腾讯上班，加班太多了 | 用户在腾讯工作
我老婆叫李静，下周她过生日，送啥好 | 用户的老婆叫李静
叫我阿杰就行，不用那么客气 | 用户希望被称为阿杰
我有两个孩子，周末带去哪 | 用户有两个孩子
我对芒果过敏，一吃就肿，别推荐芒果甜品 | 用户对芒果过敏
我不喝咖啡，有啥提神的 | 用户不喝咖啡
我是大三学生，想找个实习 | 用户是大三学生
我是广东人，吃不了辣 | 用户来自广东
我现在住深圳，房租好贵啊 | 用户住在深圳
刚搬到武汉，哪里有好吃的？ | 用户住在武汉
我有哮喘，可以跑步吗 | 用户有哮喘
我吃素的，这家店能吃吗？ | 用户吃素
我海鲜过敏，日料能吃啥 | 用户对海鲜过敏
我不吃牛肉，换个菜谱吧 | 用户不吃牛肉
我喜欢看科幻小说，有没有推荐的 | 用户喜欢看科幻小说
我今年三十五岁，现在学钢琴晚吗？ | 用户35岁
我是小学老师，帮我写个教案 | 用户的职业是小学老师
我会弹吉他，有啥简单的曲子 | 用户会弹吉他
我来自新疆，想家了 | 用户来自新疆
我是回族，推荐个清真餐厅 |
我女儿叫朵朵，帮我写个生日祝福 | 用户的女儿叫朵朵
我对青霉素过敏，感冒了吃什么药 | 用户对青霉素过敏
我不爱吃甜的，生日蛋糕怎么选 | 用户不爱吃甜的
我是设计师，求一些灵感网站 | 用户的职业是设计师
我狗叫旺财，今天不吃饭了，急！ | 用户的狗叫旺财
我在华为做产品经理，最近想跳槽 |
我喜欢猫，但是我对猫毛过敏 | 用户喜欢猫 | 用户对猫毛过敏
我结婚了，想买个保险 | 用户已婚
我属虎的，今年运势咋样 |
我养了一只柯基，掉毛太严重 | 用户养了一只柯基
我家住苏州，周边有啥露营地 | 用户住在苏州
我不喝酒，聚会怎么推辞啊 | 用户不喝酒
我爱喝奶茶，可是想减肥 | 用户爱喝奶茶
我的名字叫陈晨，帮我起个英文名 | 用户的名字是陈晨
我是医生，忙到没空谈恋爱哈哈 | 用户的职业是医生
我是个会计，月底忙疯了 | 用户的职业是会计
我对尘螨过敏，床单多久洗一次？ | 用户对尘螨过敏
我受不了榴莲的味道 | 用户受不了榴莲的味道
我开特斯拉，冬天续航掉得厉害 | 用户开特斯拉
我高血压，能喝咖啡不 | 用户有高血压
我90后，听什么歌合适 |
我是左撇子，买什么鼠标好 | 用户是左撇子
我有个弟弟，今年高考，怎么鼓励他 | 用户有个弟弟
我在美团送外卖 下雨天咋防水 | 用户的职业是送外卖
我是急诊科护士 夜班吃啥不胖 | 用户的职业是急诊科护士
我对酒精过敏 年会咋挡酒 | 用户对酒精过敏
我儿子叫乐乐 今年上一年级 写个入学寄语 | 用户的儿子叫乐乐
我今年41 想考驾照 晚不晚 | 用户41岁
住在大连 海边风大 买啥外套 | 用户住在大连
我养了条金毛 每天要遛多久 | 用户养了条金毛
我不喝牛奶 补钙吃啥 | 用户不喝牛奶
我家在农村 网很差 下载慢咋整 | 用户家在农村
我係會計,月尾好忙 | 用户的职业是会计
我最怕打针了 明天抽血咋办 | 用户怕打针
我是学日语的 求个背单词的法子 | 用户学日语
我是双鱼座 最近运势 | 用户是双鱼座
我有两只猫一只狗 出差一周咋办 | 用户养了两只猫一只狗
""".strip().splitlines()

STATED = """
I live in London, Ontario, any snow? | User lives in London, Ontario
我是Amy | 用户的名字是Amy
护士一枚 求睡眠建议 | 用户的职业是护士
I run a bakery in Lyon with my wife | User runs a bakery
25岁，男，想减肥 | 用户25岁
I have three kids in Chicago | User has three kids
hi, this is Emma here | User's name is Emma
I'm divorced with two kids | User is divorced
as a nurse I often work nights | User works as a nurse
I turned 30 this year | User is 30 years old
my wife Anna and I live in Rome | User's wife is called Anna | User lives in Rome
I'm vegan but I miss cheese | User is vegan
我叫高铁军 | 用户的名字是高铁军
My name is Alice | User's name is Alice
My name is Alice and I'm allergic to peanuts | User's name is Alice | User is allergic to peanuts
my name is alice | User's name is alice
Hi, my name's Jean-Luc Picard! | User's name is Jean-Luc Picard
My name is Ludwig van Beethoven | User's name is Ludwig van Beethoven
Hello there! My name is Alice. What's yours? | User's name is Alice
I have a deadly peanut allergy | User is allergic to peanuts
I have an extreme bee allergy | User is allergic to bees
I work as a team lead | User works as a team lead
My wife is called Anna | User's wife is called Anna
我家猫叫小鸡 | 用户的猫叫小鸡
Please call me Al | User wants to be called Al
Call me June | User wants to be called June
just call me Mr Sunday please | User wants to be called Mr Sunday
I'm severely allergic to peanuts, shellfish and milk. | User is allergic to peanuts, shellfish and milk
I'm allergic to peanuts, recommend a dessert | User is allergic to peanuts
I'm allergic to peanuts, by the way | User is allergic to peanuts
I’m allergic to cats | User is allergic to cats
I'm allergic to nuts and love Thai food | User is allergic to nuts
I live in New York with my wife | User lives in New York
I live in Berlin, what's the weather like? | User lives in Berlin
I work as a nurse | User works as a nurse
I work at Siemens | User works at Siemens
I really like hiking and cooking | User likes hiking and cooking
I don't like cilantro | User does not like cilantro
I prefer tea over coffee | User prefers tea over coffee
My birthday is on May 5 | User's birthday is May 5
I was born in March 1990 | User was born on March 1990
I'm a vegetarian | User is vegetarian
我叫闫妮 | 用户的名字是闫妮
我叫小明，我对花生过敏 | 用户的名字是小明 | 用户对花生过敏
你好，我叫李雷，你叫什么？ | 用户的名字是李雷
我的名字是王小明。我住在北京，有什么好玩的吗？ | 用户的名字是王小明 | 用户住在北京
我叫Tom | 用户的名字是Tom
叫我小张就好 | 用户希望被称为小张
叫我小龙虾就好 | 用户希望被称为小龙虾
我叫小米 | 用户的名字是小米
我家猫叫小笼包 | 用户的猫叫小笼包
我对花生、牛奶过敏 | 用户对花生、牛奶过敏
我有花粉过敏 | 用户对花粉过敏
我现在住在上海哦 | 用户住在上海
我是一名程序员 | 用户的职业是程序员
我的职业是教师 | 用户的职业是教师
我在腾讯公司上班 | 用户在腾讯公司工作
我喜欢火锅，不过我讨厌香菜 | 用户喜欢火锅 | 用户讨厌香菜
我很喜欢看小说 | 用户喜欢看小说
我不吃猪肉 | 用户不吃猪肉
我吃素 | 用户吃素
我的生日是5月20日 | 用户的生日是5月20日
我叫欧阳娜娜 | 用户的名字是欧阳娜娜
我叫阿依·古丽 | 用户的名字是阿依·古丽
我有严重的花粉过敏 | 用户对花粉过敏
My birthday is 12/25, like Jesus | User's birthday is 12/25
My birthday is May 5, 1990 | User's birthday is May 5, 1990
I like tea, lol :) | User likes tea
我是1990年3月出生的 | 用户的生日是1990年3月
I have a peanut allergy | User is allergic to peanuts
I have a severe pollen allergy | User is allergic to pollen
I'm lactose intolerant | User is lactose intolerant
I'm a nurse | User works as a nurse
Hi, I'm a software engineer | User works as a software engineer
I am a medical student | User is a medical student
I'm from Spain | User is from Spain
I come from New Zealand | User is from New Zealand
I am 34 | User is 34 years old
I'm 34 years old | User is 34 years old
I have two kids | User has two kids
I have a daughter | User has a daughter
My wife's name is Anna | User's wife is called Anna
我花生过敏 | 用户对花生过敏
我吃虾过敏 | 用户对虾过敏
我对芒果过敏 | 用户对芒果过敏
我乳糖不耐 | 用户乳糖不耐受
我是学生 | 用户是学生
我是一个大学生 | 用户是大学生
我是高中老师 | 用户的职业是高中老师
我今年30岁 | 用户30岁
我今年三十岁了 | 用户30岁
我来自上海 | 用户来自上海
我在北京工作 | 用户的工作地点是北京
我老婆叫王小红 | 用户的老婆叫王小红
我养了一只猫 | 用户养了一只猫
我有两个孩子 | 用户有两个孩子
I live in downtown Chicago | User lives in downtown Chicago
I live in Portland, OR | User lives in Portland, OR
我住北京 | 用户住在北京
我住上海浦东 | 用户住在上海浦东
我家住绍兴 | 用户住在绍兴
我家在山东 | 用户住在山东
我定居成都 | 用户住在成都
我住在马德里 | 用户住在马德里
我住在清远 | 用户住在清远
我于1990年3月出生 | 用户的生日是1990年3月
我是阳历1990年3月5日生的 | 用户的生日是1990年3月5日
My birthday is the 5th of May | User's birthday is the 5th of May
我有非常严重的花粉过敏 | 用户对花粉过敏
我对所有坚果过敏 | 用户对所有坚果过敏
我有青霉素过敏史 | 用户对青霉素过敏
I'm allergic to most nuts | User is allergic to most nuts
I have a tree nut allergy | User is allergic to tree nuts
I can't stand cilantro | User cannot stand cilantro
我的工作是护士 | 用户的职业是护士
我是一名用户研究员 | 用户的职业是用户研究员
我是一名技术人员 | 用户的职业是技术人员
我的职业是自由撰稿人 | 用户的职业是自由撰稿人
我对牛奶过敏 | 用户对牛奶过敏
我不吃香菜 | 用户不吃香菜
so im a nurse and kinda tired, tips | User works as a nurse
i cant eat gluten so what bread is ok | User cannot eat gluten
as a nurse i never sleep | User works as a nurse
as a teacher, i need quiet evenings | User works as a teacher
my dog Rufus ate a sock | User's dog is called Rufus
need ideas for a trip with my two kids | User has two kids
vegan here, what do i order | User is vegan
im a mom of three and tired | User is a mom of three
i dont drink so whats a good mocktail | User does not drink alcohol
my favorite color is green, pick a sofa | User's favorite color is green
we live near Lyon and want a hike | User lives near Lyon
hey i have a cat named Olive and she wont eat | User's cat is called Olive
i work in marketing and hate slides | User works in marketing
im retired and bored | User is retired
i grew up in Ohio | User grew up in Ohio
im left handed, which scissors | User is left handed
been vegan for ten years, b12? | User is vegan
turning 30 on may 4, party ideas | User's birthday is may 4
im diabetic bc of genetics lol | User has diabetes
i speak Spanish, so easy right | User speaks Spanish
i study law and its hard | User studies law
我做销售的，天天喝酒 | 用户的职业是销售
我是送外卖的，电动车怎么选 | 用户的职业是送外卖
我痛风，啤酒能喝吗 | 用户有痛风
我不能吃海鲜，聚餐去哪 | 用户不能吃海鲜
我一吃芒果就过敏，怎么办 | 用户对芒果过敏
我读大二，想实习 | 用户在读大二
我刚入职星河科技，好紧张 | 用户在星河科技工作
我生日五月初六，怎么过 | 用户的生日是五月初六
我退休了，学点什么 | 用户已退休
最讨厌香菜了，咋避开 | 用户讨厌香菜
养了三只猫，出差咋办 | 用户养了三只猫
我唔食辣㗎，點叫餸 | 用户不吃辣
我係護士，成日夜班 | 用户的职业是护士
我是左撇子，买啥鼠标 | 用户是左撇子
我老家在湖南，无辣不欢 | 用户的老家在湖南
我家两个娃天天打架 | 用户有两个娃
im vegan for 10 years now | User is vegan
been vegetarian since i was 12 | User is vegetarian
i have two kids at home and no time today | User has two kids
i'm a doctor... so tired today | User works as a doctor
以后叫我小王就好了 | 用户希望被称为小王
我有两个女儿，都上小学 | 用户有两个女儿
my name is jonas | User's name is jonas
i work as a nurse at the city hospital | User works as a nurse
I'm a teacher at a small school | User works as a teacher
so i moved to leeds last month | User lives in leeds
i live in austin tx | User lives in austin tx
I live in Austin TX | User lives in Austin TX
yo i drive a 2009 honda civic and the ac just died | User drives a 2009 honda civic
I drive an old Volvo | User drives an old Volvo
i quit smoking 3 weeks ago | User quit smoking
I've given up alcohol for good | User quit alcohol
im learing japanese, like 8 months now | User is learning japanese
i've been learning Spanish for 2 years | User is learning Spanish
im learning to play the piano | User is learning piano
im studying comp sci in edinburgh, second year | User studies comp sci
I'm studying law at uni | User studies law
my brother lives in oslo | User's brother lives in oslo
my mom has diabetes | User's mom has diabetes
my wife is a nurse btw | User's wife is a nurse
im from brazil originally but whatever | User is from brazil
we got engaged last month | User is engaged
pls keep answers short, i read these on my phone | User prefers short answers
please keep your replies brief | User prefers brief answers
我戒酒半年了，聚会都喝可乐 | 用户戒了酒
我戒烟了 | 用户戒了烟
我已经戒了烟 | 用户戒了烟
最近在学吉他，手指头好痛啊 | 用户在学吉他
我在学日语 | 用户在学日语
我最喜欢的歌手是陈奕迅，昨天单曲循环 | 用户最喜欢的歌手是陈奕迅
我最爱的颜色是蓝色 | 用户最喜欢的颜色是蓝色
我妈有高血压，想给她买个血压计 | 用户的妈有高血压
我爷爷得了糖尿病 | 用户的爷爷有糖尿病
我在一家医院当护士，今晚又是夜班 | 用户的职业是护士
我在杭州做前端，天天加班 | 用户的职业是做前端
上个月刚搬到成都 | 用户住在成都
我老公係消防員，好擔心佢 | 用户的老公是消防员
我妈妈是老师 | 用户的妈妈是老师
本人28，单身 | 用户28岁
我今年大三 | 用户在读大三
我学的临床医学 | 用户学临床医学
我是学计算机的 | 用户学计算机
我女儿今年上一年级了 | 用户的女儿上一年级
我有个弟弟在加拿大读书 | 用户有个弟弟
我系香港人 | 用户来自香港
我好鍾意打羽毛球 | 用户喜欢打羽毛球
回答短一点哈 | 用户希望回答简短
请你以后回复简洁一些 | 用户希望回答简短
morning! retired postman here, 68, knees are shot. what stretches r safe | User is a retired postman
ok so my wife nadia is due in march n i need a list of stuff to buy | User's wife is called nadia
cheers mate. also im coeliac so swap the couscous for smth | User is coeliac
nurse here, on nights all week, whats the best way to flip my sleep back | User works as nurse
im a long haul trucker n eat crap all day, healthy snacks? | User works as a long haul trucker
we got 2 cats and a toddler, which robot vac wont die in a month | User has 2 cats
hi from manila! im a call center agent, how do i ask for a raise | User works as a call center agent
as someone with t1 diabetes what do i bring on a 10h hike | User has t1 diabetes
i teach year 4 in hull, need a fun fractions starter | User teaches year 4
37f, single mum of 2, how do i start investing w like 50 quid a month | User is a mum of 2
just moved to calgary from lagos, how cold is too cold for jeans lol | User lives in calgary
colorblind guy here, make the chart w/o red n green | User is colorblind
my boyfriend theo is turning 30, he likes climbing. present under 80? | User's boyfriend is called theo
i run a small bakery in ghent, write an insta post abt sourdough | User runs a small bakery
i play bass in a covers band, need 5 songs everyone knows | User plays bass
finnish is my first language so be patient w my english haha | User speaks finnish
我海鲜过敏!!!上次说过了 换个火锅蘸料 | 用户对海鲜过敏
坐标西安 求个周末遛娃的地方 | 用户住在西安
我老公叫大伟 下周生日 送啥好 | 用户的老公叫大伟
家里养了两只布偶 沙发都抓烂了 选啥材质 | 用户养了两只布偶
我是跑滴滴的 腰疼得不行 有啥坐垫推荐 | 用户的职业是跑滴滴
我係中學老師,想搵啲英文遊戲俾啲學生玩 | 用户的职业是中学老师
今年29 未婚 在苏州做外贸 想考个证 考啥好 | 用户29岁
对芒果过敏 帮我看看这个甜品单哪些能点 | 用户对芒果过敏
我胃不好 有慢性胃炎 早上能喝咖啡不 | 用户胃不好
老家东北的 在海南过冬 想吃酸菜咋做 | 用户的老家在东北
我妈叫刘桂芳 属牛 帮我写首藏头诗 | 用户的妈叫刘桂芳
我不喝酒哈 别老推荐鸡尾酒了🍹 | 用户不喝酒
我住天河 返工要一個鐘 有咩podcast好聽 | 用户住在天河
本人程序员一枚 颈椎快断了 求拉伸动作 | 用户的职业是程序员
我儿子小宝三岁半 不爱吃青菜咋整 | 用户的儿子叫小宝
我素食 帮我列个一周菜单 | 用户素食
我养咗隻柴犬叫豆豆,成日咬梳化,點算 | 用户养了只柴犬
我是大二的 学会计 想转码 来得及吗 | 用户在读大二
人在温哥华 求个靠谱的报税软件 | 用户人在温哥华
hey dave here, i fix boilers for a living, how do i word a quote | User's name is dave
my partner sam is veggie but i eat meat, meals for both? | User's partner is called sam
I'm 63 and never used a spreadsheet, go slow please | User is 63 years old
i'm a brazilian living in dublin, how do i register w a gp | User lives in dublin
i hate olives so much lol, pizza topping ideas | User hates olives
we live in a tiny flat in lyon w no oven, dinners? | User lives in lyon
btw i dont eat pork so maybe chicken instead? | User does not eat pork
i work from home as a copywriter n never move. desk stretches? | User works as a copywriter
我对象乳糖不耐 我对坚果过敏 求个都能吃的甜品 | 用户对坚果过敏
我在深圳做程序员五年了 想回老家 | 用户的职业是程序员
我高度近视 适合做激光吗 | 用户高度近视
我不能吃辣的 给我换个清淡的 | 用户不能吃辣
我是宝妈 晚上等娃睡了才有时间 想学点东西 | 用户的职业是宝妈
大家好我是阿May 喺香港返工 想學普通話 | 用户的名字是阿May
我住喺元朗,去機場點搭車最快 | 用户住在元朗
我平时吃素 周末偶尔开荤 帮我排个菜单 | 用户吃素
我在成都读研 学心理的 想找实习 | 用户在成都上学
my names bex btw, can u make this email less rude | User's name is bex
i'm an electrician from leeds, help w a quote for rewiring | User works as an electrician
im a lefty, which can opener is less annoying | User is a lefty
got a cat named olive, she hates the vacuum, why | User's cat is called olive
sry im dyslexic, can u use short sentences | User is dyslexic
my husband raj is diabetic, low sugar indian sweets? | User's husband is called raj
im from poland so celsius pls | User is from poland
single dad of twins here. crockpot ideas go | User is a dad of twins
我不吃羊肉的哈 再推荐几个 | 用户不吃羊肉
我妈有高血压 今年六十三 适合什么运动 | 用户的妈有高血压
我在杭州上班 住余杭 通勤一小时 求听书推荐 | 用户的工作地点是杭州
我是教初中物理的 出几道浮力题 | 用户的职业是教初中物理
我叫阿珍 我男朋友叫阿强 帮写个情侣签名 | 用户的名字是阿珍 | 用户的男朋友叫阿强
我單身 住沙田 週末好悶 | 用户单身
我阿爸有糖尿病 可唔可以食月餅 | 用户的阿爸有糖尿病
我本身鍾意行山,有冇新手路線 | 用户喜欢行山
我对猫毛过敏 但是女朋友想养猫 | 用户对猫毛过敏
我不会做饭 租房党 电饭煲菜谱来点 | 用户不会做饭
我老婆是护士 三班倒 怎么照顾她 | 用户的老婆是护士
""".strip().splitlines()
"""Plain sentences whose facts are all found."""

NOTHING = """
call me later
call me a cab pls
call me crazy but i like it
call me back when ur free
Call me Tomorrow
call me Bob's mom
i live in zoom calls
I live in Zoom calls these days
i live in my car lol
i live in hope
i live in sweatpants
I live in Excel
i live in the moment
I live in Berlin until May
im in rome right now for work
I'm in Paris this week
i have asthma and allergies
i have seasonal allergies
I'm allergic to mornings
im allergic to bullshit 😂
i'm allergic to my ex
my son isnt allergic to nuts
my son is allergic to nuts
my boss is allergic to cats
im not allergic to nuts
i'm not vegan anymore
I'm not vegetarian
im no longer a nurse
i used to be a teacher
i was vegan for a year
i'm almost vegan
explain it like i'm 5
Explain it like I'm five, I'm curious
act like im a pirate
pretend i'm a doctor
if i were vegan, what would i eat?
if i'm allergic to nuts, can i eat this?
what if i live in Spain?
what should i do if im 35
let's say i'm 40
lets say i live in Oslo
do i look like i'm 40?
am i allergic to peanuts?
i think im allergic to peanuts
maybe i'm lactose intolerant
i might be allergic to cats
i wish i lived in Paris
i want to live in Tokyo
I'd love to live in Rome
im a mess
im a huge fan of yours
im a bit tired
i'm a doctor's daughter
i'm a little teapot
im a morning person kinda
im a loser
I'm 5 minutes away
i'm 30 minutes late
im 50% sure
im 6 feet tall
i'm 100 done with this
I'm 3 chapters in
my name is mud
my name is on the lease
my name is not important
my name is spelled wrong
my friend says i'm vegan
he said "i'm allergic to nuts"
she told me i love drama
my mom thinks i love math
my sister said: my name is Anna
he has a wife named Anna
her dog is called Rex
translate: i live in berlin
how do you say i am vegan in french
translate "I live in Rome" please
fix grammar: i am a teacher and i love kids
my essay: I am a nurse. I love my job.
> i live in oslo
`my name is bob`
i love it
i love that
i love you
i like your answer
i love this so much
i hate this
i hate when people do that
i hate mondays lol jk
i love waking up at 5am, said nobody ever
I like the second one
i like option b
i like where this is going
I'd like a coffee
i like him
i prefer the first one
i prefer not to say
i don't like it
i don't eat right now
i dont drink enough
i don't drink and drive
i can't stand up
i can't stand it anymore
i love to hate it
i hate to break it to you
I hate that
i work at night
i work at home
i work for free
i work for a living
i work as a team
i work at a bank
i work at my dad's shop sometimes
im from the future
i'm from customer support
im from a small town
my birthday is tomorrow
my birthday is next week
my birthday is on a monday
my birthday is over
my daughter's birthday is May 3
i have two questions
i have a question
i have three left
i have a son of a gun
i have 2 dogs in this fight
i live in berlin right?
my name is jake, isnt it
i'm vegan, just kidding
im vegan lol not
i'm a nurse, psych!
I'm allergic to nuts... not
oh sure, i love waiting in line
in my dream i live in Paris
in my novel my name is Kael
my character is allergic to silver
roleplay: i'm a detective
lets play a game. im a vampire
I'm a side character in my own life
i also work as a barista on weekends
im working as a waiter this summer
i was born in 1990
my kids love pizza
we should get a dog
i want a cat
i almost have two kids
call me Ishmael
i go by train
i go by the book
i have a cold
i have diabetes in my family
i'm married to my job
i'm single-handedly doing it
my favorite is the red one
i speak from experience
i speak my mind
i play around a lot
i play dumb
i drive a hard bargain
i drive myself crazy
as a joke
as a parent what would you do
not a vegan but i like tofu
im engaged in a debate
the quiz asks: I live in ____
i live in Hogwarts, obviously
i moved to the couch
we moved to Slack
i moved to plan B
我住在B站
我住在公司了快
我住在酒店
我住在梦里
我住哪里好
我住院了
我叫外卖
我叫了车
我叫不醒他
我叫他帮忙
我叫小龙虾外卖
我叫什么
我叫啥来着
我叫你一声你敢答应吗
叫我起床
叫我干嘛
叫我一声
别叫我宝贝
叫我怎么说呢
明天叫我
我有鼻炎过敏
我有过敏
我有点过敏
我有哮喘和过敏吗
我对上班过敏
我对前任过敏
我对他过敏
我皮肤过敏
我对花生不过敏
我妈对花生过敏
我朋友对海鲜过敏
我可能对花生过敏
我好像对芒果过敏
如果我对花生过敏怎么办
假如我住在北京
要是我是医生就好了
我不是医生
我不是素食者
我不抽烟了
我不吃辣了
我不吃素了
我以前住在北京
我以前是老师
我曾经在腾讯上班
我想住在大理
我想当医生
我想养一只猫
我打算搬到上海
我下周去北京
我在北京出差
我这几天住在广州
我还开了个淘宝店
我还兼职做家教
我是他老师
我是你爸爸
我是来问问题的
我是说今天
我是个废物
我是好人
我是认真的
我是不是医生
我是打工人
我是你的粉丝
我是医生的女儿
我是程序员鼓励师
我是老师傅了
他说我是医生
老师说我叫小明
他是素食者
他有个女儿叫朵朵
她老公叫李雷
我同事的猫叫年糕
我喜欢你
我喜欢她
我喜欢这个
我喜欢第二个
我喜欢上了一个人
我喜欢的人结婚了
我爱你
我爱了爱了
我讨厌你
我讨厌这样
我讨厌死了
我不吃了
我不吃饭
我不吃亏
我不吃这一套
我不喝了
我不喜欢他
我不喜欢这样
我不喜欢吃亏
我喜欢个锤子
我最喜欢加班了呵呵
我最喜欢被骂了
我今年不想过生日
我今年20公斤行李
我28号去
我3岁的时候
我快30了
我不到30岁
我生日是明天
我生日是哪天
我女儿生日是5月3号
我儿子今年5岁
我有两个问题
我有两个选择
我有一个朋友对花生过敏
我有个想法
我养了一只鸽子精
我养你啊
我养不起猫
我来自地狱
我来自未来
我在上班
我在认真工作
我在家上班
我在一家公司上班
我在外面工作
翻译：我住在北京
把这句翻译成英文 我是医生
造句：我是老师
续写：我叫李雷，我住在北京
“我叫小明”是什么意思
小说里我叫龙傲天
我们来角色扮演，我是医生
我是医生，你是病人
我是医生，才怪
我叫小明，骗你的
我住在北京，对吧
我对花生过敏吗
我是素食者吗？
我会努力的
我会想你的
我会迟到
我开玩笑的
我开车去
我开心
我高血压犯了都怪你
我有糖尿病的风险吗
我结婚了吗
我快结婚了
我想结婚了
我是广东话初学者
我是广东省考生吗
我刚搬到新家
我搬到床上睡
坐标轴怎么画
本人已死
俺不中嘞
as a lawyer, what would you advise me
As a doctor, can you check my rash
as a student i loved math
my cat is a picky eater
my dog Friday at the vet
if my son Max gets in, where do we live
imagine my two kids were here
i dont drink enough water
dont eat meat today, its friday
no nurse here today
any vegans here
should we get a kitten
im turning in early
i live near the edge
i work in bed
i speak from the heart
my favorite color is whatever you like
im not diabetic
type 1 diabetic diet plan
i cant eat chicken that is raw
i grew up in the 90s
i went vegan for january
lets say i work in finance
write a bio: i am a nurse and i love tea
im in berlin til friday
so you are saying i have asthma
i hate java errors like this
i dont like this code
my server is called Zeus
i have two monitors
im at 40 percent
i quit my job at Siemens
i'd work at Siemens any day
不喝酒，能谈成生意吗
狗叫个不停
我妈退休了，在医院上班
我糖尿病人能吃吗
我是开玩笑的
我做老师的女儿
我去年从腾讯离职了
我吃不了苦
我老家伙了
我身高不够
我会弹了
我读大三那年
我家两个空调坏了
今年20届毕业生
我以前对花生过敏
要是我在腾讯上班
我唔係醫生
如果我鍾意佢
最喜欢你了
养了两只猫的人累吗
my sister vegan here and there
teacher here gave me homework
i adopted a highway
my brother And me fight
my dad Googled it
my son Minecraft addict
my brother Christmas gift ideas
my mom Tuesday appointment
my son English homework
if i had my two kids here
my 2 cats in the story
as a teacher i had once said
as a developer you should know
im turning 40 degrees on may 4
i live near Me
i dont smoke brisket often
i cant drink coffee today
i cant eat meat for a week
been vegan for a day lol
i play chess badly
i work in tech support hell
my favorite food is whatever
my fav song is X
i started working at 5
i was diagnosed with love
im a dad of two cats maybe
retired here
type 1 diabetic here asking for a friend
cant stand the heat
he is vegan and i love cats but not dogs
i think so and i love tea
i hate coffee and love tea said nobody
i love this song and dance
i am from work and tired
以后我教英语
我上高三那年很累
我会说话的
我退休以后干嘛
我不退休
我入职体检要带啥
在腾讯上班什么体验
在医院工作了三年的人
最喜欢吃辣的省份
最爱的人走了
我做饭的
我是做梦的
我是送外卖的儿子
我心脏病都要犯了
我糖尿病吗
我一喝牛奶就困
我不能吃肉的日子
我老家话怎么说
他说不食辣
我唔係食素
我朋友係護士
我在学校待了一天
我不爱听
我不爱玩
我妈今年60岁
yeah right, i love broccoli
im a doctor... of love
i'm a teacher… at heart
im vegetarian for lent
vegan for january only, wish me luck
we have two cats to feed at my neighbours house this week
we have three kids coming over
i have 3 dogs at the shelter to walk
we have two kids staying the weekend
repeat after me, i'm a nurse
recite this. I am 15 years old. I live in Paris.
老师让我们背:我叫李华,我今年15岁
跟我读：我叫王芳，我是学生
我今年18岁,永远的
我有两个孩子要接,都是邻居家的
我家有三个孩子来玩
我有两个女儿就好了
我住在大理就好了
我是医生……的儿子
my name is hard to spell
the name is reacher
our name is catchy
my cat is a doctor lol
i stopped smoking indoors
my name is common
my name is forgotten
i work as a nurse at the hospital in the sims
i moved to the couch last month
i live in austin powers land
i drive a hard bargain
i drive a honda in gta
i drive a lot
i quit smoking every week
i quit drinking for lent
i quit drinking water
i stopped smoking for two hours
im learning a lot
im learning the hard way
im learning french for the exam in the game
im studying math rn
im studying history all night
my brother lives in fear
my wife has a headache
my wife has adhd energy
my dad is a joke
my dad is a doctor who fan
keep your answers to yourself
keep your answer short, wrong as always
我要戒烟
我想戒酒
我戒烟失败了
我戒了三天又抽了
我戒不了烟
在学校
我在学怎么偷懒
你在学吉他吗
我女儿的同学在学钢琴
我最喜欢的歌是他写的
我最喜欢的电影是哪部
我最喜欢的是你
我妈有病
我妈有事
我妈有高血压吗
我妈的同事有高血压
我在医院当病人
我在梦中的医院当医生
我在医院当了三天护士
我在游戏里当医生
你当医生我当护士
我老公是个木头
我老公是医生就好了
我在杭州做梦
搬到成都要多少钱
我大三那年
我女儿上一年级的时候
回答问题
回答短一点的那个
我有个弟弟在游戏里
This is Emma, my daughter.
this is mia. she's 3
this is kevin, my new puppy
I'm engaged with a client right now
As a waiter I made good money
As a nurse I saw a lot
I live in Netflix
I live in Photoshop
I live in Sweatpants
I work for Mr. Smith
I work for Dad
I work for Anna
I go by Bike
I turned 30 last year
my wife Anna and I divorced
My dog Rex was put down
my cat Milo had to be put to sleep
I have three kids in my class
I have two cats on loan
I'm vegan but I eat fish
vegetarian here but sometimes eat chicken
I like both
I hate either
my fav movie is yours
我女儿叫阿姨
我儿子叫爸爸
我叫滴滴
我叫高铁
我学的东西忘光了
if my husband was a chef id never cook again lol
write it as if im a 70 yr old fisherman from maine
in berlin for 3 days, best museums?
thinking of moving to oslo, worth it?
im allergic to group projects at this point lol
im basically a taxi driver for my kids these days
what job suits a lefty who cant stand meetings
caption for a pic: 'living in paris, eating croissants'
im dead, that joke killed me 💀
used to smoke 10 a day, lungs ok after 20 yrs?
never been married, never will be, is it bad for taxes
house sitting w 2 dogs this week, how often walk em
trying to be vegan for a week, hard mode or nah
my friend jess here, shes asking if u do poems
got a flat in leeds for the weekend, parking tips
如果我是护士 夜班一晚多少补贴
我要是住在杭州就好了 天天西湖
我朋友是跑外卖的 一个月能挣多少
我又不是医生 你问我干嘛
坐标系怎么平移 求讲解
家里养猫好还是养狗好
我差点就是北京人了 可惜没落户
人在囧途好看吗
我爸那个年代 不吃香菜的人多吗
对象对海鲜过敏 约会吃啥
35岁被裁的人都去干嘛了
我是你爹 哈哈 叫爸爸
我同事话佢係素食者,真定假㗎
我家猫是不是胖了 看图
考上了我就是研究生 没考上就打工
my husband said hed cook, vegan here means no honey right
planning a dinner for tom, allergic to nuts, loves thai
what do you call someone based in london who works in paris
hello nurse here is a meme right
my cat litter smells like death, alternatives
my son still hates veggies, tips
my mom always says carrots help eyesight, true
my sister really wants a horse
my husband sometimes snores, fix?
my girlfriend hates me
got two cats on my balcony that arent mine
i teach my dog tricks
i run a lot of errands
im on an iphone keyboard so typos galore
im scared of mondays
im pretty deaf to criticism
i never do drama
its will again
as a vegan you must hear this a lot
as someone with kids you get it
we have 3 kids in the car rn, games?
moved to plan b, thoughts
my anxiety is killing me today lol
how do i say im lactose intolerant in german
been vegan curious for years
im a cop in gta rp
im a doctor according to my mum haha
ok im sorry
hey siri, call me a taxi
i dont do fish on fridays
can i say i live in london if i live in kent
do you think i have adhd
i might be coeliac, test?
im getting a cat called miso next month
i wanna quit smoking
im in dubai on holiday
i was a chef for 10 yrs
let me introduce my friend: anna, nurse, 32
这家店开了家分店
我老公老家四川的 无辣不欢
我朋友坐标成都 求推荐对象
我孩子今年上大一
花生过敏怎么急救
对牛奶过敏的宝宝喝什么
我姓王的同学叫啥
我是Linux小白
我路痴了半天
我怕黑天鹅
我今天胃不好
我做老师好还是做公务员好
我开大众点评看到的
我家双胞胎姐姐和我吵架
我离婚冷静期还没过
我吃中药能好吗
在深圳租房 一个月多少
我打算在成都定居
我准备回老家开店
我想开一家民宿
35岁 能考公务员吗
小明今年12 他爸今年36 几年后是两倍
程序员一枚能挣多少
不喝酒不抽烟的男人多吗
我大一的时候
我是高三的班主任
我是二胎妈妈的妹妹
我爸叫老王帮忙
我儿子大大小小的病
我弟小学三岁
我平时不吃药
我好烦
我最烦的人
如果我姓王 叫什么好
佢話我係護士
我以前係老師
我係你老竇
帮我写个自我介绍 我叫李雷 是护士
假装你是我 我是医生
我是卖菜的旁边那家
我是跑滴滴的乘客
my neighbour is a retired nurse n super nosy, polite excuse?
my colleague maria lives in rome, what gift from there
if im ever 80 remind me to skydive lol
dave from accounts keeps emailing me, reply for me
my ex lived in lyon, how far is it from paris
i work out a lot, protein sources?
i hate this song so much, who sings it
whats a good name for a golden retriever
call me crazy but pineapple on pizza slaps
i play dumb at work, is that bad
my grandma used to live in leeds
i quit my job today!!! celebrate w me
have you lived in dublin
我要是能住在元朗就好了
我不是不能吃辣 就是不想吃
我妈当年是知青
我叫了滴滴 怎么还没来
我今年要结婚了
我可能有痛风 怎么查
做程序员好还是做老师好
我刚梦到我是宝妈了
我快饿死了
你是护士 我是病人 开始
我对你过敏
我人在曹营心在汉
why do ppl say theyre vegetarian then eat fish
do i look like im from poland lol
my dog food brand got recalled, alternatives?
we have a 6 month plan, split it in weeks
i should quit smoking
i had a dog named waffles once
im an onion, i have layers. shrek quote?
im not a nurse but i play one on tv haha
i live and breathe football
my ex has a cat named olive
i am in class right now, quick answer
i hate u lol
我不吃这个牌子的
我在杭州东站 怎么去西湖
我叫不到车
我住院三天了
我算半个重庆人吧
我有点怕
我要当老师的
青霉素过敏试验怎么做
我不会做这道题
我是吃货我骄傲
我只是个宝宝
我在日本旅游
我今年高考的弟弟
basically im a therapist now lol
my dad is called away a lot
got a minute
got 2 tickets
i have a boy problem
im a total student of the game
im from the uk version of the office
im a ghost living in rome
just turned 21 questions into a podcast
just quit smoking ads, slogans pls
i play since always
i speak and nobody listens
i take insulin jokes too far
i teach you
i own a nurse costume
im on adderall according to my teacher
my diabetes project is due
as a vegan chef what would i earn
im an only child of the 90s trend
hi kevin here is the file
nice to meet you, im chatgpt
im max level
call me max verstappen
im married lol jk
i have anxiety about tmrw
i have a 3 day old pizza
i drive a golf cart
i do fish
i never drink water
我真是个保姆
我抑郁了
我就是个渣男
我贫血的女儿
我是四川菜的粉
我是中二的
我大二逼
我中三了彩票
我姓啥来着
我叫国语
我儿子叫苦
我弟叫嚣
人在江湖
老家在哪
我老家拆了
我开现代课
我的车是长安街上拍的
开了家奶茶店怎么亏的
我做市场调查
我当老师的妈
我种地
我搞科研的心死了
我搬来椅子
我在大理生活过
我在上海租房吗
我有个孩子王同事
我带三个孩子的班
我不能碰他
我不敢喝酒了今天
这周我不吃肉
我生病不能吃辣
我怀孕不能吃生的
花生过敏 有什么症状
我对紫外线过敏吗
我近视 才怪
我晕车药吃多了
我结婚证丢了
我没结婚证
都三十岁了 他还不懂事
我34了个赞
is bus driver a stressful job
my ex wifes name is marisol, awkward that its my bosss name too
im so spicy today lol
tell me about growing up in ohio
my friend has ibs, recipes for her?
im driving a 2012 prius rental, mpg?
im 16 episodes in, no spoilers
we in brooklyn or queens, vote
my daughters teacher called, what now
he works in insurance
wasp stings when youre allergic to bees, ok?
i could never be a plumber
im an apprentice of life
my lad culture slang is bad
i hate cooking shows hosted by celebs
我在美团买了菜 没送到
我朋友急诊科护士 天天骂人
酒精过敏是什么症状
我儿子叫了我一声
我今年41本书没读完
住在大连好还是青岛好
我养了条鱼死了
不喝牛奶会缺钙吗
农村家里没网怎么办
他係會計
打针怕不怕
学日语要多久
我要是有两只猫就好了
吃全素会贫血吗
我和我老婆住在她家
""".strip().splitlines()

FIGURES_OF_SPEECH = """
My birthday is May 32
I have horrible allergies
I have chronic seasonal allergies
我叫黄焖鸡
what is my name?
do you remember that I like tea?
Do you remember my name
do you like tea
My name is Alice?
I live in Berlin, right?
Is it true, I live in Berlin, what do you think?
Did you know, I live in Berlin, what can I see there?
remember that?
你记住了吗
我叫什么名字？
你还记得我叫小明吗？
你喜欢猫吗
我对什么过敏
我住在北京，对吗？
if I lived in Berlin
If I live in Berlin, what then?
I think I'm allergic to nuts
如果我住在北京
I don't live in Berlin
I no longer live in Berlin
I used to live in Paris
I'm not allergic to peanuts
I'm allergic to nothing
Don't call me Al
我不住在北京
he said 'my name is Bob'
he said my name is Bob
He said, my name is Bob
My sister is allergic to peanuts
My wife and I live in Berlin
他说我叫小明
他叫小明
我妈妈对花生过敏
我叫他小明
「我叫小红」
我喜欢《红楼梦》
remember to be nice
remember to buy milk
don't forget to call
Remember that time we went to Rome
remember me
remember my name
Remember I told you
I remember that my name is Bob
记住了
记住密码
记住这一点
别忘了带伞
别忘了明天要带伞
我记住了你的名字
*my name is Sir Galahad*
(my name is Bob)
`my name is Bob`
```my name is Bob
> my name is Bob
Let's roleplay. My name is Galahad.
Imagine it. Remember that I am king.
Translate: my name is Alice
How do you say I live in Berlin in German
I'm allergic to nuts, just kidding
我们来角色扮演，我叫孙悟空
翻译：我叫小明
比如我叫小明
I like it
I love you
I like your answer
I prefer option B
call me Maybe
please call me ASAP
Call me Monday
just call me Friday
You can call me Sat
Call me October
Call me Uber
please call me Lyft
call me a cab
CALL ME TONIGHT
CALL ME BACK
Call me EOD please
my name is on the list
my name is changing
my name is spelled with a very strange combination of letters
my name is 12345
I live in a small town
I work at night
I work for free
My birthday is tomorrow
I was born in Paris
我叫了外卖
我叫小龙虾
我叫牛排吧
我叫小笼包
我叫大盘鸡
我叫不出名字
我的工作是路人
我的生日是明天啊
I live in Berlin... NOT
I live in Berlin. Not!
I live in Paris, just kidding
My name is Bob. Haha, no.
I'm allergic to peanuts, but not really
I'm allergic to peanuts no more
I'm allergic to peanuts is what he told me
My name is Bob, said the knight
我叫张三，才怪
我叫张三。才怪！
我叫张三，其实不是
我住在上海。骗你的
我喜欢火锅，对吧
我对花生不再过敏
我才不喜欢吃香菜
Here is my essay. My name is Tom. I live in Rome
Summarise this: My name is Peter Parker. I live in New York.
I live in New York. My name is Peter. Summarize the following
Fix the typos: I live in Berlin
In my novel, I live in Rome
Answer as if you were my mother. I'm allergic to peanuts
Hypothetically, I'm allergic to peanuts
Let's play a game: my name is Gandalf
在我的小说里，我叫龙傲天
续写：我叫龙傲天，我住在天龙城
总结一下这段话：我叫张三，我住在上海
下面是小说片段：我叫龙傲天，我住在天龙城
我昨天做了个梦，梦里我住在上海
Oh great, I love waiting in line
Sure, I love being woken at 5am
I love being woken at 5am
I'm allergic to Mondays
I live in sin
我最喜欢被老板骂
我喜欢个屁
我爱吃不吃
我住在火星
我叫醒了孩子
我叫苦连天
我叫家长来
我叫老王帮忙
我叫小王来
我叫老师
我叫服务员
我叫救命
我爱人在银行工作
我有严重过敏
我是一名程序员的妻子
我是一位失败者
我的名字是秘密
My birthday is like Jesus'
I'm a fan
I'm a bit tired
I'm a good cook
I'm a doctor's wife
I'm a terrible driver
I'm from the support team
I'm from Customer Support
I'm from the future
I'm from a small town
I'm 34 minutes late
I'm 1 year old
I'm 300 years old
I have severe allergies
I have a food allergy
I have two left feet
I have three questions
My wife's name is a secret
我是说明天
我是来找医生
我是好学生
我是他的学生
我是学生家长
我是假医生
我是你老师
我妈花生过敏
我老婆叫我回家
我妈妈叫小王来
我来自客服部
我在家工作
我在努力工作
我快30岁了吧
我二百岁
我有一个问题
我有两个建议
I live in exile
I live in constant fear
I live in sweatpants
I live in interesting times
I live in Excel all day
I live in Berlin half the year
I live in Rome or Paris
I live in Rome for two weeks
I live in Rome for the summer
I live in your head rent free
我住得很远
我住得挺好
我住院两周
我住校三年
我住不惯
我住不起
我住过北京
我住进新房
我住民宿
我定居下来
我家在装修
我家在办喜事
我家在上海开店
我住在家里
我住在回忆里
我住在很远的地方
我住在北京吧
我住在北京还是上海
我住在北京三天
我住在北京不习惯
我女儿2020年5月出生
我爸1965年3月出生
我家猫2023年5月出生
我2020年5月生的老二
我的生日是女儿2020年5月
我的生日是比你早3天5月2日
我的生日是5月20日前后
My birthday is 2 days after Dec 25
My birthday is March 50
I was born in Marchwood in 1990
My daughter was born in May 2020
我四五十岁了
我十七八岁
I have zero allergies
I have few allergies
I have a few allergies
I have three allergies
I have a bunch of allergies
I have bad allergies
I have seasonal allergies
I have chronic allergies
I have developed allergies
I have outgrown allergies
I'm allergic to few things
I'm allergic to small talk
我有很多过敏
我有两种过敏
我有家族过敏史
我有季节性过敏
我有个同事对花生过敏
我有时会过敏
我对很多东西过敏
我对老板过敏
我对开会过敏
I work as a team
I work as a last resort
I work as a team in Oslo
I work as a rule mostly from home
I work for Free
I'm a backseat driver
I'm an ex student
I'm a shower singer
我的工作是一团糟
我的工作是朝九晚五
我的职业是摸鱼
我是一名乘客
我是一位母亲
我是一位单亲妈妈
我是一名党员
我是一名乐观主义者
我是王老师
我是灵魂歌手
我在大公司上班
我在一家公司工作
我在大城市工作
My name is taken
My name is misspelled
My name is French
My name is Bob's
Call me Skeptical
我的名字是奶奶取的
我的名字是三个字
我叫牛肉面
I can't stand up
I can't stand straight for long
I can't stand still anymore
I can't stand straight
I hate to ask
I prefer later
I come from Money
I love tea /s
He's like, I live in Rome
She goes, I like tea
我不吃惊
我不喝多
我爱情不顺
我喜欢前者
我喜欢火锅还是烧烤好
我不吃火锅会死
我来自隔壁
我来自抖音
hello
  。
我是Tony老师的粉丝
我是Amy吗
我是Nancy的妈妈
我係Amy阿妈
我是O型血
我是E人
我是Steam玩家
我是Student
我是Chinese
我是阿宅
我叫Tony吗
我儿子叫Tom吗
研究生一枚
宝妈一枚，出闲置
I own a bakery in Monopoly
I run a bakery in Stardew Valley
postman here, retired
35岁，男主角
我吃虾就过敏的朋友
我一吃芒果就肿是为什么
moved to Berlin, he did
who has my two kids
I've got two dogs in Sims 4
my favorite band is coming
I live in Austin, or I did
I'm from Leeds, my wife is
I live in Rome, spiritually
I moved to Toronto, then left
moved to Lisbon, she says
I'm a nurse in Project Hospital
my favorite drink is expensive
I quit smoking, for a day
I work at Christmas
我是老师，退休了
18岁，男，悬疑小说主角
我係醫生，講笑咋
I live in Oslo, my bad, Bergen
I'm vegan, just not today
I'm married, to my job
I'm a student at Hogwarts
I work as a nurse, in the play
I can't stand by
对海鲜过敏，求原理
35岁，坐标北京的求职者
I was born in May 2050
I have two girls in the office who never call
I'm a nurse, or was
I was born in 1200 BC
I'm single-minded
硬币一枚
我乳糖不耐受的孩子
我对芒果过敏怎么办
I go by Feeling
我是Alex本人的朋友
我学医的哥哥
我狗叫Tony老师吓的
I'm 30 minutes late
我对花生过敏的女儿
我是Jack，你是Rose
I don't smoke in the house
学生一枚求带
我有一个儿子的话就叫小宝
我在北京工作的哥哥
我结婚三年的时候
as a vegan, she said
我是Amy妈妈
家里养了两只狗的客户
我唔係護士
叫我打工人
我叫Siri放歌
I turned 40 degrees
I'm engaged in a dispute
叫我大哥
I quit drinking five times
我爸有高血压吗
I have four dogs in Nintendogs
我开特斯拉的梦想
I don't eat meat before noon
I'm married in Fire Emblem
我最喜欢的电影是假的
我以前住喺九龍
我有个弟弟就好了
我搬咗去荃灣嘅同學
我开了一家店的朋友
my passport says I was born on May 5 1990
20岁，女儿出国
lyrics I live in America
I'm joe average
我有高血压吗
我不喝酒的老公
我叫了Tony
我车是特斯拉就好了
我是David老师
我是ENFP
我会说日语就好了
my dad truck needs tires
my cat scratcher keeps moving
my wife salon needs a name
""".strip().splitlines()
"""Questions, orders, stories, idioms and jokes that state nothing either."""
