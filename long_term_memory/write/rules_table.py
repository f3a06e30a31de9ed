"""The plain statements about oneself that are read without a model, in English and Chinese (design 5.2).

`@kind` in a pattern stands for the words of that name in KINDS, and `{kind}` in the fact for what was said;
`&kind` stands for the same words unnamed. What a value may be is a closed list or a form (a capitalised word,
a date), so that a figure of speech fits none. A pattern has to fit a whole clause, fillers around it apart.
"""

import re

ATTITUDE = "attitude_"
"""The beginning of the slots of likes, dislikes and habits: one answer about a thing at a time."""

_KINDS = r"""
lead = (?:(?:hi|hello|hey|yo|lol|haha|omg|btw|so|ok|okay|well|also|and|but|oh|ugh|fyi|yes|yeah|actually
  |honestly|thanks|thx|because|since|as)(?: there| bot)? ){0,3}
trail = (?: (?:too|now|tho|though|please|pls|plz|fyi|actually|honestly|haha|anyway|as well|\(?[:;]-?[)
  (dp])){0,2}\)?
am = i(?:'m| am|m)
my = my|our
i = i|we
have = (?:i|we)(?:'ve got| have got| got| have|'ve|(?: just)? adopted)
dont = do(?:n'?t| not)
is = 's|s| is
adv = (?:(?:very|really|also|still|severely|highly|currently|now|absolutely|always|just|usually|super
  |deathly|actually|both|totally|honestly|originally) ){0,3}
cap = (?-i:[A-ZÀ-ÖØ-ÞĀĂĄĆČĎĐĒĘĚĞĢİĶŁŃŇŌŐŘŚŞŠŤŪŮŰŹŻŽА-Я][^\W\d_A-Z][^\W\d_]*(?:['-][A-Z][^\W\d_]+)?)
word = [^\W\d_][^\W\d_'-]{1,20}
allergen = (?:(?:tree |pea|wal|hazel|coco|chest|pine )?nut|peanut butter|almond|cashew|pistachio|sesame
  |shellfish|seafood|shrimp|prawn|crab|lobster|oyster|fish|egg|milk|dairy|cheese|lactose|gluten|wheat|corn
  |soy(?:bean)?|mustard|celery|garlic|onion|tomato|mushroom|avocado|banana|kiwi|mango|pineapple|strawberr
  |cherr|apple|peach|cinnamon|chocolate|honey|sulfite|msg|penicillin|amoxicillin|aspirin|ibuprofen|sulfa
  |codeine|latex|nickel|pollen|ragweed|grass|birch|dust(?: mite)?|mold|mould|cat|dog|horse|rabbit|pet dander
  |wool|bee(?: sting)?|wasp(?: sting)?|mosquito(?: bite)?|perfume)(?:ies|y|es|s)?
敏 = 花生|坚果|核桃|腰果|杏仁|榛子|开心果|海鲜|虾|螃?蟹|贝类|鱼|牡蛎|牛奶|乳制品|奶制品|鸡蛋|蛋清|大豆|小麦
  |麸质|面粉|玉米|芒果|菠萝|草莓|桃子?|猕猴桃|奇异果|香蕉|榴莲|番茄|西红柿|芝麻|芹菜|蘑菇|酒精|花粉|柳絮
  |杨絮|尘螨|螨虫|灰尘|霉菌|猫毛?|狗毛?|动物毛|羽毛|蜂蜜|蜜蜂|青霉素|头孢|阿莫西林|阿司匹林|布洛芬|磺胺|乳胶
  |紫外线|蛋白|牛羊肉|牛肉|羊肉|巧克力|碘
first = alex|alice|amy|andrew|anna|anne|ben|bob|carl|carlos|chris|claire|dan|daniel|dave|david|diego|elena
  |emily|emma|eric|fred|george|hannah|harry|henry|jack|jake|james|jane|jenny|jessica|jim|joe|john|julia|kate
  |kevin|laura|leo|lily|lucas|lucy|luke|maria|marie|mark|martin|mary|matt|mia|michael|mike|nick|nina|noah
  |oliver|olivia|paul|pedro|peter|priya|rachel|rob|robert|ryan|sam|sara|sarah|sofia|sophie|steve|susan
  |thomas|tim|tom|tony|victor|zoe
no_name = (?:the|a|an|not|no|my|your|his|her|on|in|at|back|later|when|if|is|it|what|maybe|crazy|old|anytime
  |after|before|tonight|today|tomorrow|now|again|soon|whatever|anything|french|german|english|spanish
  |italian|chinese|mon|tues?|wed|thu|fri|sat|sun|\w+day|march|october|november|december|uber|lyft|taxi|mud
  |legion|ishmael|inigo|captain|king|queen|sir|lord|master|daddy|nobody|boss|batman|santa|stupid|mad|dumb
  |weird|old-fashioned|asap|\w{3,}(?:al|ed|ing|ive|ous|ful|less|able|ish|ic|ly|'s))\b
字 = [^\W\d_a-zA-Z的了是我你您他她它们什么啥谁哪这那不没很在来去吗吧呢啊来过着得地一个声完被把给叫为和就都也
  还到要会能上下让帮等]
姓 = 欧阳|司马|上官|诸葛|[王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏
  卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常
  武乔贺赖龚文庞樊兰陶安严韦路齐梅莫庄辛管祝左涂谷祁时舒耿路欧翁隋闫]
吃的 = [鸡鸭鹅鱼虾蟹面饭肉菜卖饼包排汤粥粉痴师医手人家者哥姐]
地 = 北京|上海|天津|重庆|广州|深圳|杭州|南京|苏州|成都|武汉|西安|长沙|郑州|济南|青岛|大连|沈阳|长春|哈尔滨
  |石家庄|太原|合肥|福州|厦门|南昌|昆明|贵阳|南宁|海口|三亚|兰州|西宁|银川|无锡|常州|宁波|温州|绍兴|嘉兴
  |佛山|东莞|珠海|中山|惠州|烟台|洛阳|桂林|大理|丽江|清远|浦东|香港|澳门|台北|高雄|台湾|广东|广西|浙江|江苏
  |山东|山西|河南|河北|湖南|湖北|四川|云南|贵州|福建|江西|安徽|陕西|甘肃|青海|宁夏|新疆|西藏|内蒙古|黑龙江
  |吉林|辽宁|海南|东北|日本|韩国|新加坡|马来西亚|美国|加拿大|英国|法国|德国|澳大利亚|新西兰|东京|大阪|首尔
  |伦敦|巴黎|柏林|纽约|洛杉矶|旧金山|西雅图|多伦多|温哥华|悉尼|墨尔本|马德里|曼谷
job_noun = nurse|doctor|dentist|pharmacist|paramedic|therapist|lawyer|attorney|accountant|teacher|professor
  |tutor|librarian|engineer|developer|programmer|data scientist|data analyst|designer|architect
  |product manager|project manager|plumber|electrician|carpenter|mechanic|technician|gardener|farmer
  |firefighter|police officer|pilot|(?:truck|bus|taxi|delivery|uber) driver|courier|chef|baker|butcher
  |barista|bartender|waiter|waitress|cashier|secretary|sales rep|realtor|journalist|translator|photographer
  |musician|hairdresser|barber|cleaner|social worker|consultant|recruiter|team lead|chemist|researcher
  |scientist|analyst
of_job = (?:(?:senior|junior|lead|head|staff|software|hardware|data|web|front-?end|back-?end|full-?stack
  |mobile|game|civil|mechanical|electrical|network|systems?|machine learning|ml|ux|ui|graphic|product
  |freelance|self-employed|registered|high|middle|primary|elementary|school|math|english|science|history|art
  |kindergarten|preschool|university|college|medical|law|nursing|phd|master's|grad|graduate|exchange
  |business|financial|night|full-time|part-time) ){0,3}
职称 = 程序员|工程师|护士|医生|大夫|牙医|药师|兽医|律师|法官|会计|老师|教师|教授|设计师|建筑师|产品经理
  |项目经理|记者|编辑|作家|撰稿人|翻译|摄影师|厨师|服务员|店员|店长|司机|快递员|外卖员|电工|木工|保安|警察
  |消防员|军人|公务员|飞行员|导游|理发师|心理咨询师|社工|销售|客服|前台|秘书|人事|农民|工人|研究员
  |数据分析师|技术人员|幼师|(?:大|中|小|高中|初中|小)?学生|大学生|研究生|博士生|硕士生
  |[大高初研][一二三四]学生
职前 = (?:高级|初级|资深|软件|硬件|前端|后端|全栈|算法|数据|游戏|平面|室内|服装|产品|交互|自由|全职|高中
  |初中|小学|中学|大学|幼儿园|英语|数学|语文|体育|儿科|外科|内科|急诊科?|出租车|卡车|公交|网约车|医学|法学
  |用户|测试|土木|机械|电气|建筑){0,3}
food_noun = meat|red meat|pork|beef|lamb|chicken|fish|seafood|shellfish|shrimp|eggs|dairy|cheese|gluten
  |bread|rice|sugar|sweets|candy|chocolate|mushrooms|onions|garlic|tomatoes|olives|cilantro|spicy food|nuts
  |peanuts|soy|tofu|carbs|breakfast|fried food|alcohol|beer|wine|coffee|caffeine|tea|milk|soda|juice
食材 = 香菜|葱|姜|蒜|洋葱|韭菜|芹菜|茄子|苦瓜|胡萝卜|蘑菇|牛肉|羊肉|猪肉|鸡肉|鱼|鱼肉|海鲜|虾|肉|红肉|内脏
  |辣椒?|辣的|甜的?|甜食|糖|油炸食品|零食|快餐|奶制品|鸡蛋|主食|早餐|夜宵|榴莲|豆腐|酒|白酒|啤酒|咖啡|茶
  |奶茶|牛奶|可乐|碳酸饮料|冰的|牛|羊|猪|鸡
no_thing = (?:i|im|me|my|you|u|ya|your|yall|he|him|his|she|her|it|its|we|us|our|they|them|their|this|that
  |whatever|these|those|the|a|an|to|at|on|in|up|when|where|what|how|why|who|which|so|but|because|if|not|no
  |never|nothing|none|one|ones|option|plan|idea|answers?|being|waiting|getting|having|going|paying|later
  |tonight|today|tomorrow|right|now|more|most|much|many|some|any|all|every\w*|some\w+|any\w+|is|are|was|were
  |be|do|does|did|for|from|with|about|too|as|than|then|like|just|straight|still|here|there|same|first|second
  |last|next|other|another|mondays|working|traffic|people|myself|lol|jk|men|women)\b
thing = (?:(?!&no_thing)&word ){0,2}(?:(?!&no_thing)(?!and\b)&word)(?: and (?:(?!&no_thing)&word )?
  (?!&no_thing)&word)?
东西 = (?![上个欢爱的着过得到死人自]|加班|上班|前者|后者|吃?[亏醋苦惊]|情|[吃喝看听玩]$|慕|奇艺)&字{1,4}
  (?<![死人惨])
month = jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?
  |oct(?:ober)?|nov(?:ember)?|dec(?:ember)?
day = 0?[1-9]|[12]\d|3[01]
count = [2-9]|1\d|two|three|four|five|six|seven|eight|nine|ten
数 = [一二两三四五六七八九十\d]{1,2}
name = (?!&no_name)(?:&cap(?: (?!&no_name)(?:van |von |de |da |der )?&cap){0,3}|&first)(?!'s\b)
first_name = (?!&no_name)&first
nick = (?!&no_name)(?:(?:mr|ms|mrs|dr)\.? )?(?:&cap(?: &cap)?|&first)(?!'s\b)
place = (?:downtown |central |(?:north|south|east|west)(?:ern)? )?(?:(?:&spot)|(?:New|San|Santa|Saint|St\.?
  |Fort|Port|Lake|Mount) &cap|&cap(?:ville|burgh?|shire|stadt|heim|grad|polis)|&cap(?: &cap)?
  (?= ?, [A-Z]{2}$| ?, (?:&spot)$))(?: ?, (?:(?-i:[A-Z]{2})|(?:&spot)))?
no_town = (?:zoom|excel|slack|discord|minecraft|roblox|outlook|word|teams|gmail|twitter|reddit|vim|emacs
  |linux|hell|heaven|paradise|narnia|hogwarts|gotham|wonderland|neverland|mordor|the|my|your|a|an|this|that
  |fear|hope|peace|denial|jeans|python|java|rust|\w+days?)\b
town = (?!&no_town)&cap(?: (?!&no_town)&cap){0,2}
allergens = (?:(?:all|most) )?&allergen(?:(?:,? and |,? or | ?, | ?& )&allergen){0,5}
intolerance = lactose|gluten|fructose|histamine
condition = asthma|(?:type (?:1|2|one|two) )?diabetes|high blood pressure|hypertension|celiac disease|ibs
  |crohn's(?: disease)?|epilepsy|migraines|adhd|arthritis|eczema|psoriasis|hypothyroidism
diet = vegetarian|vegan|pescatarian|plant[- ]based
job = &of_job&job_noun
an = an?
student = (?:&of_job|[a-z]{3,15} )(?:student|intern)
employer = (?!&no_name|(?-i:Home|Night|Free|Nights|School|Work|Noon|Dawn|Midnight)\b)(?:&cap(?: &cap){0,2}
  |&firm)
years = [1-9]\d
kin = wife|husband|partner|girlfriend|boyfriend|son|daughter|mother|mom|mum|father|dad|sister|brother|dog
  |cat|puppy|kitten|bird|rabbit|hamster|parrot
several = &count (?:(?:older |younger |little |small |big |young |teenage )?(?:kids|children|sons|daughters
  |brothers|sisters|siblings|cats|dogs|boys|girls))
relative = an? (?:son|daughter|kid|cat|dog|kitten|puppy|parrot|rabbit|hamster|baby|toddler|(?:older
   |younger |little |big |twin )?(?:brother|sister))
date = &month\.? &day(?:st|nd|rd|th)?(?:,? (?:19|20)\d\d)?|(?:the )?&day(?:st|nd|rd|th)?(?: of)? &month
  (?: (?:19|20)\d\d)?|&day/&day(?:/(?:19|20)?\d\d)?
birth = &month(?: &day(?:st|nd|rd|th)?,?)? (?:19|20)\d\d|&day(?:st|nd|rd|th)? (?:of )?&month (?:19|20)\d\d
verb = like|love|enjoy|hate|dislike|prefer
choice = (?!&no_thing)&word (?:over|to) (?!&no_thing)&word
foods = &food_noun(?:(?:,? and |,? or | ?, )&food_noun){0,3}
status = married|single|divorced|widowed
名 = (?!高兴|小心|小声|马上|王八|安静|方便|严重|成功|单身|明白|平安)(?:&姓(?!&吃的)&字{1,2}
  |[小阿](?!&吃的)&字|(?P<twice>&字)(?P=twice)|&字{1,4}·&字{1,5}|&cap)(?<!&吃的)
称呼 = (?!干嘛|干啥)(?!&字{0,3}&吃的$)(?:(?!&字?[\u4e00-\u9fff]?(?:一下|一声|起床))&字{1,4}|&cap|&first)
过敏原 = (?:所有|各种)?&敏(?:[、和跟,，]&敏){0,5}
不耐 = 乳糖|麸质|果糖
病 = 哮喘|糖尿病|高血压|低血糖|高血脂|心脏病|胃溃疡|癫痫|痛风|湿疹|甲亢|甲减|偏头痛|乳糜泻
素 = 吃素|吃全素|是素食主义者|是素食者|是纯素食者
住 = &地(?:市|省)?(?:&地|&字{1,3}[区县镇])?
来 = &地(?:市|省)?
职 = &职前&职称
学生 = (?:&职前)?(?:大学生|研究生|博士生|硕士生|[大高初研][一二三四]学生|(?:大|中|小|高中|初中)?学生)
岁 = [1-9]\d|[二三四五六七八九]?十[一二三四五六七八九]?
公司 = (?:&企业)(?:公司|总部)?|(?![一这那本家某大小])[\u4e00-\u9fff]{2,6}(?<![大小家个的他她])(?:公司|医院
  |银行|集团|科技|物流|中学|小学|大学|学校)
亲 = 老婆|妻子|太太|老公|丈夫|爱人|女朋友|男朋友|女友|男友|儿子|女儿|妈妈|爸爸|哥哥|姐姐|弟弟|妹妹
宠 = 猫|狗|狗狗|猫咪|宠物|兔子|仓鼠|鹦鹉|乌龟
宠名 = (?!&字{0,2}[不起声整半])&字{2,4}|&cap
养 = &数[只条个]&宠物
几个 = &数个(?:孩子|小孩|娃|儿子|女儿|宝宝|哥哥|弟弟|姐姐|妹妹|双胞胎(?:儿子|女儿)?)
有个 = 一?个(?:儿子|女儿|哥哥|弟弟|姐姐|妹妹)
日 = (?:农历|阴历)?(?:(?:19|20)\d\d年)?(?:1[0-2]|0?[1-9])月&day[日号]?|(?:农历
  |阴历)?[正一二三四五六七八九十冬腊]{1,2}月[初一二三四五六七八九十廿]{1,3}[日号]?
生 = (?:农历|阴历)?(?:(?:19|20)\d\d年)(?:1[0-2]|0?[1-9])月(?:&day[日号]?)?
喜 = 不喜欢|不爱[吃喝看听玩]?|讨厌|受不了|喜欢|热爱|爱[吃喝看听玩]
物 = (?:吃|喝|看|听|玩)?&东西
不 = 不吃|不喝|不能吃|不能喝|吃不了|喝不了|不太吃
食物 = &食材(?:[、和跟]&食材){0,3}
我 = 我|本人|俺|咱
很 = (?:很|非常|最|特别|超级|超|比较|一直|真的|也|都|更|现在|目前|平时|从小|本来|是个|就是){0,3}
位 = (?:一名|一位|一个|个|名|位)?
spot = london|manchester|birmingham|liverpool|bristol|edinburgh|dublin|paris|lyon|berlin|munich|hamburg
  |frankfurt|vienna|zurich|rome|milan|madrid|barcelona|lisbon|amsterdam|brussels|copenhagen|oslo|stockholm
  |helsinki|warsaw|prague|budapest|sofia|athens|istanbul|kyiv|moscow|austin|dallas|houston|chicago|boston
  |seattle|portland|denver|phoenix|atlanta|miami|philadelphia|brooklyn|nyc|toronto|montreal|vancouver|ottawa
  |tokyo|seoul|beijing|shanghai|shenzhen|guangzhou|hangzhou|chengdu|wuhan|taipei|bangkok|manila|jakarta
  |delhi|mumbai|bangalore|dubai|cairo|lagos|sydney|melbourne|ohio|texas|california|florida|oregon|colorado
  |arizona|virginia|pennsylvania|michigan|minnesota|hawaii|alaska|england|scotland|ireland|france|germany
  |austria|switzerland|italy|spain|portugal|belgium|denmark|norway|sweden|finland|poland|hungary|romania
  |greece|turkey|ukraine|russia|canada|mexico|brazil|argentina|chile|peru|colombia|japan|china|taiwan|korea
  |thailand|malaysia|singapore|indonesia|philippines|india|pakistan|israel|egypt|morocco|nigeria|australia
  |hong kong|new (?:york|jersey|orleans|zealand|hampshire)|los angeles|las vegas|san [a-z]{4,10}|st\.? louis
  |mexico city|cape town|tel aviv|north (?:carolina|dakota)|south (?:carolina|dakota|africa|korea)
firm = google|amazon|microsoft|apple|meta|netflix|tesla|ibm|intel|oracle|nvidia|target|walmart|costco
  |starbucks|mcdonald'?s|ikea|siemens|bosch|bmw|volkswagen|airbus|boeing|ups|fedex|dhl
企业 = 腾讯|阿里巴?巴?|华为|字节跳?动?|百度|京东|美团|小米|网易|滴滴|快手|拼多多|比亚迪|联想|中兴|顺丰
  |小红书|工商银行|特斯拉|苹果|微软|谷歌|星巴克
宠物 = [小大老]?(?:[橘黑白花黄]?[猫狗]|兔子?|仓鼠|鹦鹉|乌龟|金毛|柯基|泰迪|哈士奇|边牧|布偶猫?|英短|美短
  |金鱼|博美|柴犬|拉布拉多)
severity = bad|severe|serious|terrible|mild|strong|deadly|extreme|nasty|life-threatening
season = week|month|year|spring|summer|fall|autumn|winter
polite = (?:(?:please|pls|just|you can|u can|everyone can) ){0,2}
sector = finance|banking|marketing|sales|retail|healthcare|construction|education|logistics|insurance|law|hr
  |it|tech|software|advertising|real estate|hospitality|journalism|accounting|agriculture|manufacturing
  |publishing|social work|customer service|consulting
field = nursing|law|medicine|computer science|cs|biology|chemistry|physics|math|maths|economics|psychology
  |engineering|history|architecture|accounting|philosophy|linguistics|graphic design|journalism|business
  |marketing
language = spanish|portuguese|french|german|italian|english|mandarin|cantonese|chinese|japanese|korean
  |russian|arabic|hindi|polish|dutch|swedish|turkish
skill = guitar|piano|violin|drums|bass|cello|flute|chess|tennis|soccer|football|basketball|volleyball|golf
  |hockey|badminton
trait = left[- ]handed|colou?r ?blind|dyslexic|autistic|retired|hard of hearing|self-employed
topic = colou?r|food|movie|film|band|singer|book|sport|season|drink|fruit|dessert|animal|genre|snack|author
  |cuisine|flower
parent = mom|mum|mother|dad|father|parent
unsure = not|if|when|would|imagine|wish|were|had|used|his|her|their|your|says?|said
开 = 开(?:货车|卡车|出租车?|网约车|公交|滴滴)|(?:送|跑)(?:外卖|快递)|(?:做|搞|干|跑)(?:销售|设计|前端|后端
  |测试|运营|会计|财务|程序|开发|电商|外贸|装修|翻译|IT|美容|餐饮|直播|算法)|教(?:英语|数学|语文|钢琴|书)
  |写代码|跑业务
会 = 弹(?:吉他|钢琴|古筝)|拉(?:小|大)提琴|打鼓|游泳|说?(?:日语|英语|法语|德语|韩语|西班牙语|粤语)|开车
特征 = 左撇子|色盲|色弱|夜猫子|素食者
读 = (?:读|上|念)(?:大[一二三四]|高[一二三]|初[一二三]|研[一二三]|博[一二三])
pet = (?!&no_name|Netflix|Minecraft|Instagram|Christmas|Halloween)&cap(?=$| (?:is|was|has|had|and|who|ate
  |threw|keeps?|loves?|hates?|needs?|wants?|just|will|won'?t|can'?t|turns|turned|gets?|got|does|doesn'?t
  |sleeps|barks|refuses|lives|works|broke|started)\b)
diabetes = (?:type (?:1|2|one|two) )?diabet(?=ic)
eats = eat|drink
"""
KINDS = dict(line.split(" = ", 1) for line in re.sub(r"\n  ", "", _KINDS).strip().splitlines())
"""Names to regular expressions; a line that is indented goes on with the one before."""

_RULES = r"""
profile 0.9 name: (?:&my|the) (?:full |first |real )?name(?:&is|s) @name(?:,? not &cap)? => User's name is {n
  ame}
profile 0.9 name: (?:&am|this is) @first_name => User's name is {first_name}
profile 0.9 nickname: (?:&politecall me|i go by) @nick => User wants to be called {nick}
profile 0.7 -: &my @kin(?:'s name is|s name is| is called| is named|'s called) @name => User's {kin} is calle
  d {name}
profile 0.7 -: &have an? (?:[a-z]{3,10} )?@kin (?:named|called) @name => User's {kin} is called {name}
profile 0.7 -: &my @kin @pet(?:,? (?!is called|and i\b).{0,70})? => User's {kin} is called {pet}
constraint 0.9 -: (?:&am &adv)?(?:allergic|anaphylactic) to @allergens => User is allergic to {allergens}
constraint 0.9 -: &have an? (?:&adv(?:&severity) )?@allergen allerg(?:y|ies) => User is allergic to {allergen
  }
constraint 0.9 -: &am &adv@intolerance[ -]intolerant => User is {intolerance} intolerant
constraint 0.9 -: i(?:'ve got| got| have| was diagnosed with| suffer from) &adv@condition => User has {condit
  ion}
constraint 0.9 -: (?:&am &adv(?:an? )?)?@diabetes(?:ic(?: here)?) => User has {diabetes}es
constraint 0.8 attitude_: i can(?:'?t|not) @eats @foods => User cannot {eats} {foods}
constraint 0.8 diet: (?:&am &adv(?:an? )?(?:strict |lifelong )?|(?:i(?:'ve| have) |ive )?been
   (?:an? )?)@diet(?: (?:since|for) (?!a (?:day|week|month)).{2,25})? => User is {diet}
constraint 0.8 diet: @diet here => User is {diet}
profile 0.7 home_city: (?:&i &adv(?:live|reside)|(?:&am &adv)?(?:based|living)) (?:out )?in @place
  (?: with my [a-z]{2,12})? => User lives in {place}
profile 0.7 home_city: &i &advlive in @town => User lives in {town}
profile 0.7 home_city: i(?:'ve| have) been living in @place(?: for .{3,15})? => User lives in {place}
profile 0.7 -: &i &advlive (?:[a-z]{2,10} ){0,4}?(?:near|outside|close to) @place(?: w(?:ith)? .{3,25})? => U
  ser lives near {place}
profile 0.6 -: i (?:was born and )?(?:grew up|was raised) in @place => User grew up in {place}
profile 0.7 home_city: (?:&i )?(?:just |recently )?moved to @place(?: (?:last|this) &season| recently
  | from .{2,20})? => User lives in {place}
profile 0.7 -: (?:&am &adv|i &advcome )from @place => User is from {place}
profile 0.7 job: i &advwork as @an @job => User works as {an} {job}
profile 0.7 job: &am &adv@an @job => User works as {an} {job}
profile 0.7 job: as @an @job,? (?:i|i'm|im) (?!was|had|used|did|got|would|worked|loved).{2,80} => User works
   as {an} {job}
profile 0.7 job: @job here => User works as {job}
profile 0.6 -: i &advwork in @sector => User works in {sector}
profile 0.6 -: (?:i &adv(?:study|major in)|&am &advmajoring in) @field => User studies {field}
profile 0.6 -: &am &adv@trait => User is {trait}
profile 0.6 -: i &advspeak @language(?: (?:and|but|fluently|at home|with|a bit).{0,30})? => User speaks {lang
  uage}
profile 0.6 -: i &advplay (?:the )?@skill => User plays {skill}
preference 0.6 -: &my fav(?:ou?rite)? @topic&is @thing => User's favorite {topic} is {thing}
profile 0.7 job: &am &adv@an @student => User is {an} {student}
profile 0.7 employer: (?:i &advwork|i(?:'ve| have)? been working|i(?:'ve)?(?: just)? started(?: a new job
  | working)) (?:at|for) @employer(?: (?:for|since) .{2,20})? => User works at {employer}
profile 0.7 age: &am &adv@years(?: ?(?:years? old|yrs? old|yo|y/o))? => User is {years} years old
profile 0.7 age: i (?:just )?turned @years(?: (?:last|this) &season| yesterday| today)? => User is {years} ye
  ars old
profile 0.7 -: (?:&have|(?:(?!(?:&unsure)\b)[\w']+,? ){0,12}my) @several(?!.*\b(?:died|passed|gone|were
  |in this fight)\b)(?: .{2,60})? => User has {several}
profile 0.7 -: &have @relative => User has {relative}
profile 0.7 -: &am &adva (?:proud |single |busy |tired |stay-at-home )?@parent of (?P<n>&count
  |\d)(?: (?:kids|boys|girls))? => User is a {parent} of {n}
profile 0.8 birthday: (?:&my (?:birthday|bday)(?:&is|s)|(?:&am )?turning &years) (?:on )?@date => User's birt
  hday is {date}
profile 0.8 birthday: i was born (?:on|in) @birth => User was born on {birth}
preference 0.5 attitude_: i &adv@verb @thing => User {verb}s {thing}
preference 0.5 -: i &advprefer @choice => User prefers {choice}
preference 0.5 attitude_: i (?:really )?&dont (?:really )?like @thing => User does not like {thing}
preference 0.5 attitude_: (?:i )?(?:really |just )?can(?:'?t|not) stand @thing => User cannot stand {thing}
preference 0.7 attitude_: i &dont @eats @foods => User does not {eats} {foods}
preference 0.7 -: i &dont drink(?: alcohol)?(?: at all)? => User does not drink alcohol
preference 0.7 -: i &dont smoke => User does not smoke
profile 0.6 marital_status: &am &adv@status(?: with .{3,20})? => User is {status}
profile 0.9 name: &我(?:的?(?:名字|姓名|大名)(?:是|叫)|叫)做? ?@名 => 用户的名字是{名}
profile 0.9 nickname: (?:请|以后|你|您|可以|就|直接){0,4}叫我 ?@称呼(?:就好|就行|就可以
  |好了)了? => 用户希望被称为{称呼}
constraint 0.9 -: &我&很(?:对 ?|吃|喝|有(?:非常)?(?:严重的?)?)?@过敏原 ?(?:严重|会
  |都)?过敏[症史的]? => 用户对{过敏原}过敏
constraint 0.9 -: &我一?[吃喝碰闻]@过敏原就(?:会?过敏|起疹子|长疹子|浑身痒|肿).{0,6} => 用户对{过敏原}过敏
constraint 0.9 -: &我&很有?@不耐不耐受?症?的? => 用户{不耐}不耐受
constraint 0.9 -: &我(?:有|得了|患有)?@病 => 用户有{病}
constraint 0.8 diet: &我&很(?:是)?@素的? => 用户{素}
profile 0.7 home_city: (?:&我&很(?:家?住在?|定居在?|家在) ?|(?:&我们?)?(?:刚|最近)?搬到了?
  |(?:&我的?)?坐标)@住[了的]? => 用户住在{住}
profile 0.7 job: &我的?(?:职业|工作)是&位@职 => 用户的职业是{职}
profile 0.7 job: &我&很是?&位@学生 => 用户是{学生}
profile 0.7 job: &我&很[是做]&位@职的? => 用户的职业是{职}
profile 0.7 job: &我&很是?@开的 => 用户的职业是{开}
profile 0.7 job: &我&很@读 => 用户在{读}
profile 0.6 -: &我是?@特征 => 用户是{特征}
profile 0.6 -: &我会@会 => 用户会{会}
profile 0.6 -: &我(?:已经)?退休了? => 用户已退休
profile 0.7 employer: &我(?:上个?月|今年|刚刚?|最近|去年){0,2}入职了?@公司(?:做.{1,6})? => 用户在{公司}工作
profile 0.6 -: &我的?老家[在是]?@来 => 用户的老家在{来}
profile 0.7 age: (?:&我)?(?:今年|已经|刚满|刚刚?|今年刚满?){0,2}@岁(?:周?岁了?|(?<=今年\d\d)) => 用户{岁}岁
profile 0.7 -: &我&很(?:是)?来自于?@来 => 用户来自{来}
profile 0.7 -: &我&很是@来人 => 用户来自{来}
profile 0.7 -: &我&很在@来(?:工作|上班) => 用户的工作地点是{来}
profile 0.7 employer: (?:&我)?&很在 ?@公司 ?(?:做.{1,6})?(?:工作|上班|干|待)(?:了&数[多几]?年了?)? => 用户在{
  公司}工作
profile 0.7 -: &我(?:的|家)?@亲(?:的名字)?(?:名?叫|是叫)做?@名 => 用户的{亲}叫{名}
profile 0.7 -: &我(?:的|家|家的)?@宠(?:的名字)?(?:名?叫|是叫)做?@宠名 => 用户的{宠}叫{宠名}
profile 0.7 -: (?:&我)?&很(?:家里?)?(?:养|有)了?@养 => 用户养了{养}
profile 0.7 -: &我&很(?:家里?有|家|有|带着?)@几个(?:，?.{2,12})? => 用户有{几个}
profile 0.7 -: &我有@有个 => 用户有{有个}
profile 0.8 birthday: &我的?生日(?:是|在)? ?(?:阳历|公历)?@日 => 用户的生日是{日}
profile 0.8 birthday: &我[是于]?(?:阳历|公历)?@生(?:出生|生)的? => 用户的生日是{生}
preference 0.5 attitude_: (?:&我&很|最)@喜@物了? => 用户{喜}{物}
preference 0.7 attitude_: &我(?:从来)?@不@食物的? => 用户{不}{食物}
profile 0.6 marital_status: &我(?:已婚|(?:已经)?结婚了) => 用户已婚
profile 0.6 marital_status: &我(?:目前|现在|还是)?单身 => 用户单身
preference 0.7 -: &我(?:从来)?不抽烟 => 用户不抽烟
profile 0.6 -: &我&很在@来(?:读书|上学|上大学|念书|读研) => 用户在{来}上学
"""
RULES = re.sub(r"\n  ", "", _RULES).strip().splitlines()
"""`type importance slot: pattern => fact`, in the order they are tried; `-` is no slot."""

FILLERS = (
    (r"^[^\w(（]*&lead", r"&trail[\W_]*$"),
    (
        r"^(?:(?:你好|您好|大家好|嗨|哈喽|嗯|哦|对了|其实|另外|还有|那个|顺便|好的?|谢谢|hi|hello)[呀啊]?\s?){0,3}",
        r"[啊呀哦哈啦嘛哟喔呐\s]{0,4}$",
    ),
)
"""What may stand before and after a statement, in English and in Chinese."""

ABOUT_ONESELF = r"\b(?:i|i'\w+|im|ive|my|me|we|our|this is)\b|我|本人|俺|咱|坐标|搬到"
FRAME = r"""
[\"“”「」『』`*<>《》_{}]|(?<!\w)['‘][^'‘’]{3,}['’](?!\w)|^\s{0,3}>|/s\b|\n.*\n.*\n|\b(?:translat\w+
|role-?play\w*|pretend\w*|act (?:like|as)|imagin\w+|hypothetical\w*|suppos\w+|novel|character|story|stories
|poem|lyrics|essay|exercise:?|grammar|typos?|proofread|rewrite|rephrase|paraphrase|summari[sz]e|how (?:do
|would) (?:you|i|u) say|let'?s (?:play|say|act)|lets (?:play|act)|my dreams?|in a dream|jk|kidding|joking
|sarcas\w+|psych|quiz|memes?|said (?:no|nobody|the)|minecraft|the sims|no (?:more|longer)|anymore
|dialog(?:ue)?|script|fwd|forwarded|explain|like i'?m|as if|not!|for example|e\.g)\b|翻译|译成|造句|续写
|小说(?:里|中|片段)|角色|扮演|剧本|剧情|故事|梦里|梦见|骗你|开玩笑|才怪|呵呵|总结|润色|改写|例句|比如|例如
|作文|歌词|朗读|假如|假设|如果|要是|万一|假装|台词|摘要|转发|考试题
"""
"""What takes a whole message away from the speaker or the truth."""
BEFORE = r"""
\b(?:he|she|they|him|her|his|their|says?|said|tells?|told|asks?|asked|if|when|whenever|until|unless|lets
|like|maybe|perhaps|wrote|writes|goes|thinks?|thinking|wish|sure|great|wow|not|almost|you are|you're)\b
|\b(?:for|in|on) (?:this|the|that|a) \w+\W*$|\b(?:my|our) \w+(?: and)?\W*$|^\W*(?:is|are|am|do|does|did|was
|what|who|why|how|would|should|will)\b|[他她它说问当]|也许|可能|好像|[:：]\s*$
"""
"""What does so from ahead of a clause in its sentence."""
AFTER = r"""
[\W_]{0,6}(?:(?:but|haha|lol|and)[ ,]{1,2}){0,2}(?:not?\b|nope|right\b|correct\b|isn'?t it|don'?t i
|aren'?t i|am i\b|do i\b|just kidding|i (?:guess|think|wish|suppose)|maybe|said\b|says\b|sort of|kind of
|or (?:so|not|am)\b|until|till|if\b|for now|psych|is what|you (?:are|be)\b|sometimes\b|drive\b|apparently
|对[吧吗]|是[吧吗]|对不对|是不是|其实不|不是|你[是来演扮当]|才怪|但.{0,6}不|骗|暂时|到|最近.{0,4}[不没]
|.{1,3}说)
"""
"""What takes it back from behind it."""
BREAK = r"""
[^\w\s'’·、&+/.()#%:;=-]+|[:;](?=\s)|[。；：~～]|\s(?:btw|tbh|lol|lmao|ngl|haha\w*|so|but|because|cause|cuz
|cos|bc|since|though|tho|which)(?=\s|$)|\sand(?=\s(?!(?:drive|allergies)\b)(?-i:[a-z]|I\b))|\sas(?=\s(?:i|im
|i'm|my|we)\b)|但是|可是|不过|所以|而且|因为|但(?!愿)|哈哈+|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])
|(?<=了)(?=还[没是])|(?<=[\u4e00-\u9fff])(?=今年(?!\d|[一二三四五六七八九]?十)|最近|老是|天天|总是|每天
|一直在)
"""
"""Where a clause ends within a sentence."""
