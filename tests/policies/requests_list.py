"""What people ask a bot to remember, and not to keep, one message a line, and what only looks like it.

Even lines served to write the patterns, odd lines to judge them.
"""

REMEMBERED = """
remind me to be at the dentist at 9 tomorrow | be at the dentist at 9 tomorrow
记得续签护照 | 续签护照
remember to buy cat food | buy cat food
remind me to call mum on Friday | call mum on Friday
please remember to pay the electricity bill before the 15th | pay the electricity bill before the 15th
Remind me tomorrow to take the bins out. | tomorrow to take the bins out
don't forget to pick up the dry cleaning on Thursday | pick up the dry cleaning on Thursday
can you remind me to renew my passport in March? | renew my passport in March
hey, remember to book the dentist for Leo | book the dentist for Leo
don't let me forget to send grandma a birthday card | send grandma a birthday card
remind me on Monday to email my landlord about the leak | on Monday to email my landlord about the leak
Remember to water the plants while we're away | water the plants while we're away
could you please remind me to cancel the gym membership next week | cancel the gym membership next week
Remember to return the library books by Saturday! | return the library books by Saturday
记得买猫粮 | 买猫粮
提醒我周五给妈妈打电话 | 周五给妈妈打电话
请提醒我下周一交房租 | 下周一交房租
明天早上八点提醒我吃药 | 明天早上八点提醒我吃药
别忘了周四去取干洗的衣服 | 周四去取干洗的衣服
记得周末给花浇水 | 周末给花浇水
帮我记得月底还信用卡 | 月底还信用卡
可以提醒我三月去换护照吗？ | 三月去换护照
到时候提醒我带上身份证 | 带上身份证
记得给乐乐预约牙医 | 给乐乐预约牙医
麻烦下周提醒我取消健身房会员 | 下周提醒我取消健身房会员
记得周六之前把书还给图书馆 | 周六之前把书还给图书馆
remember to bring my umbrella tomorrow | bring my umbrella tomorrow
Can you remind me to pay the rent on the first? | pay the rent on the first
remember to pick the kids up from school at 3 | pick the kids up from school at 3
remind me next Tuesday to ring the vet | next Tuesday to ring the vet
please remind me to buy a present for Mia's birthday | buy a present for Mia's birthday
don't forget to mow the lawn this weekend | mow the lawn this weekend
remember to get my hair cut before the wedding | get my hair cut before the wedding
remind me to take my vitamins every morning | take my vitamins every morning
remember to tell mum about the visit | tell mum about the visit
remind me to finish the report by Thursday | finish the report by Thursday
Hi! Remind me to reply to Tom's email tonight | reply to Tom's email tonight
记得给妈妈买生日蛋糕 | 给妈妈买生日蛋糕
提醒我明天带伞 | 明天带伞
记得下周三去医院复查 | 下周三去医院复查
请提醒我每天晚上给宝宝喂药 | 每天晚上给宝宝喂药
别忘了取快递 | 取快递
后天记得提醒我交作业费 | 后天记得提醒我交作业费
记得把护照带上 | 把护照带上
提醒我给张老师打电话 | 给张老师打电话
记得续费健身卡 | 续费健身卡
能不能提醒我周日浇花 | 周日浇花
记得订周五晚上的餐厅 | 订周五晚上的餐厅
麻烦提醒我1号还房贷 | 1号还房贷
remind me to buy milk at 5 | buy milk at 5
remember the dinner with Joe is on Friday | the dinner with Joe is on Friday
remember the school play is at six tomorrow | the school play is at six tomorrow
remember the exam is on December 5 | the exam is on December 5
remember the rent is on the first | the rent is on the first
remember the train is at eleven | the train is at eleven
remember the party is at Joe's | the party is at Joe's
记住12月8号我要去体检 | 12月8号我要去体检
记得3月5日我去面试 | 3月5日我去面试
12月8号我要去体检，帮我记一下 | 12月8号我要去体检
记一下，下个月8号我们去看房 | 下个月8号我们去看房
remember that Anna doesn't eat spicy food | Anna doesn't eat spicy food
remember that John didn't pay | John didn't pay
remember that Ann does not eat meat | Ann does not eat meat
记住小红不吃辣 | 小红不吃辣
记住老王不喝酒 | 老王不喝酒
remember that i work night shifts | i work night shifts
Remember that I prefer short answers. | I prefer short answers
please remember: my flight is on Friday at 9 | my flight is on Friday at 9
Please remember that my daughter is called Emma. | my daughter is called Emma
keep in mind that I'm allergic to peanuts | I'm allergic to peanuts
Keep in mind I can't do mornings | I can't do mornings
pls keep in mind that my budget is 500 euros | my budget is 500 euros
don't forget that I hate olives | I hate olives
dont forget my mom's birthday is May 3 | my mom's birthday is May 3
Don't forget I'm vegan! | I'm vegan
note that my office moved to the 4th floor | my office moved to the 4th floor
Please note that I only eat halal food. | I only eat halal food
make a note that the plumber comes on Tuesday | the plumber comes on Tuesday
Can you remember that I'm left-handed? | I'm left-handed
could you please remember that my dog is scared of thunder? | my dog is scared of thunder
Hey! Remember that my locker is 214 | my locker is 214
btw remember my car is the blue Skoda | my car is the blue Skoda
remember this: grandma's pills are in the fridge | grandma's pills are in the fridge
Remember, my name is spelled with a K | my name is spelled with a K
ok so please remember that we meet at 7 | we meet at 7
Always remember that I live alone | I live alone
For the future, remember that I use metric units | I use metric units
remember for next time that I like my tea without sugar | I like my tea without sugar
take note that our anniversary is on the 12th of June | our anniversary is on the 12th of June
bear in mind that I don't drive | I don't drive
Never forget that my son can't have gluten | my son can't have gluten
I want you to remember that I quit smoking in May | I quit smoking in May
I need you to remember that the spare key is with Mrs. Lopez | the spare key is with Mrs. Lopez
would you remember that I have a cat named Pickle? | I have a cat named Pickle
Remember: from now on, always answer in Spanish | from now on, always answer in Spanish
Thanks! Please remember I moved to Leeds. | I moved to Leeds
remember i need to pay rent on the 1st | i need to pay rent on the 1st
please save that my shoe size is 42 | my shoe size is 42
memorize that my locker number is 88 | my locker number is 88
jot down that Anna lent me her bike | Anna lent me her bike
write down that the wifi is called Kiwi | the wifi is called Kiwi
记住我对芒果过敏 | 我对芒果过敏
记住小林对牛奶过敏 | 小林对牛奶过敏
记住这个：我的尺码是42 | 我的尺码是42
请记住，奶奶的药在冰箱里 | 奶奶的药在冰箱里
请记住：我不吃辣 | 我不吃辣
帮我记一下：周五三点开会 | 周五三点开会
帮我记一下，我的车位是B23 | 我的车位是B23
帮我记住我女儿叫朵朵 | 我女儿叫朵朵
别忘了我不吃香菜 | 我不吃香菜
不要忘记我下个月搬家 | 我下个月搬家
千万别忘了我妈有高血压 | 我妈有高血压
记一下，房东电话换了 | 房东电话换了
记一下我的鞋码是42 | 我的鞋码是42
你记住，我喜欢简短的回答 | 我喜欢简短的回答
麻烦记一下：快递放门口 | 快递放门口
请你记住我是左撇子 | 我是左撇子
好的，记住我家狗怕打雷 | 我家狗怕打雷
给我记住，我叫李雷不叫雷雷 | 我叫李雷不叫雷雷
记下来：备用钥匙在邻居那 | 备用钥匙在邻居那
记好了，我周三不上班 | 我周三不上班
能不能记住我不喝咖啡？ | 我不喝咖啡
你能记住我住在六楼吗 | 我住在六楼
以后请记住我用的是苹果手机 | 我用的是苹果手机
要记得我对青霉素过敏 | 我对青霉素过敏
请记得我只吃清真食品 | 我只吃清真食品
对了，记住我老公姓王 | 我老公姓王
别忘了提醒我的事：我每天八点吃药 | 我每天八点吃药
记住这件事：我跟小张和好了 | 我跟小张和好了
帮我记着，我借了小李两百块 | 我借了小李两百块
帮忙记一下，爸爸的手术在下周二 | 爸爸的手术在下周二
my landlord comes on Monday, remember that | my landlord comes on Monday
I'm off on Wednesdays, keep that in mind for me please | I'm off on Wednesdays
we moved to flat 12. note that down! | we moved to flat 12
i take my coffee black, dont forget | i take my coffee black
note to self: the gas meter is read in May | the gas meter is read in May
for future reference, i use a mac | i use a mac
save this for me: the boiler code is F28 | the boiler code is F28
keep this in mind: my sister is vegan | my sister is vegan
commit this to memory: my bike lock is blue | my bike lock is blue
store in your memory that I hate beets | I hate beets
put this in your notes - the vet is called Dr. Hahn | the vet is called Dr. Hahn
remind yourself that i am colorblind | i am colorblind
just so you remember, my shift starts at 5 | my shift starts at 5
log this: i ran 5 km today | i ran 5 km today
Anna is allergic to bees, please make a note of that | Anna is allergic to bees
fyi for later: my visa runs out in June | my visa runs out in June
我对虾过敏，记住哦 | 我对虾过敏
门禁密码换成了新的，帮我记一下 | 门禁密码换成了新的
我每周二健身，你记着点 | 我每周二健身
备忘一下：猫砂在阳台 | 猫砂在阳台
存一下：车险六月到期 | 车险六月到期
牢记我不能吃花生 | 我不能吃花生
帮我记下来钥匙在门垫下面 | 钥匙在门垫下面
记个事，我妹下月结婚 | 我妹下月结婚
麻烦你帮我备注：收件人是我妈 | 收件人是我妈
我明年毕业，别忘了哈 | 我明年毕业
請幫我記住我女兒對牛奶過敏 | 我女兒對牛奶過敏
can u remember my student number is 4410 | my student number is 4410
don't let me forget that mums flight is at 9 | mums flight is at 9
save the fact that i dont eat pork | i dont eat pork
write this down for me: size M, always | size M, always
you should remember that i hate surprises | i hate surprises
do remember im scared of dogs | im scared of dogs
remember the plumber's number ends in 77 | the plumber's number ends in 77
im gluten free now so remember that | im gluten free now
i hate phone calls, can u remember that | i hate phone calls
the alarm code changed, store that in memory | the alarm code changed
i like bullet points, keep it in mind going forward | i like bullet points
my kid hates peas, take note | my kid hates peas
my dad is diabetic, pls remember 🙏 | my dad is diabetic
remember that Tim owes me 40 | Tim owes me 40
帮我记一记我的鞋码是38 | 我的鞋码是38
这个帮我记一下：狗粮放在阳台 | 狗粮放在阳台
你得记住我怕黑 | 我怕黑
记个笔记：我五月要复查 | 我五月要复查
存到记忆里：我是O型血 | 我是O型血
我换手机了，帮我记下来吧 | 我换手机了
我睡得早，要记得哦 | 我睡得早
我住二楼，写进你的记忆里 | 我住二楼
記住呀，我唔食蝦 | 我唔食蝦
幫我記低：架車泊咗喺三樓 | 架車泊咗喺三樓
我跟你说，记住我姓高 | 我姓高
on the 9th im flying to rome, remember that pls | on the 9th im flying to rome
rember that my car is blue | my car is blue
remeber: my flight is at 9 | my flight is at 9
dont forget that im flying to rome ok? | im flying to rome
make a note, the landlord is called Mr Okafor | the landlord is called Mr Okafor
you should remember that my sister is vegan | my sister is vegan
add to memory: i have a peanut allergy | i have a peanut allergy
记一下明天下午三点开会 | 明天下午三点开会
把这个记到脑子里:我不吃辣 | 我不吃辣
你要记好咯,我属兔 | 我属兔
给我记住了,我最讨厌迟到 | 我最讨厌迟到
我的快递放在门卫那里，给我记住了 | 我的快递放在门卫那里
替我记一笔,今天花了200块买鞋 | 今天花了200块买鞋
添加到记忆:我用的是安卓 | 我用的是安卓
帮忙记个事儿 我把护照放在书房第二个抽屉里了 | 我把护照放在书房第二个抽屉里了
加到记忆里：我的鞋码42 | 我的鞋码42
""".strip().splitlines()

NOT_REMEMBERED = """
Can you remind me to what extent this holds?
remind me on what day to pay rent?
remind me at which gate to board?
remind me to always answer in French
remind me every time to write shorter
remember to return my name in the output
remember to change the keys to lowercase
提醒我今天几号
记得续写这个
记得拿捏语气
remember to use tabs
remember to answer in French
remember to keep your answers short
remind me what we talked about yesterday
remember to cite your sources in the essay
remind me how to boil an egg
Did you remember to buy milk?
remember to close the file after reading it in that function
remember to always call me Captain
remind me why I wanted to learn Rust
I never remember to water my plants
remember to stay in character and send me short messages
记得用中文回答
记得代码里加注释
提醒我一下昨天我们聊了什么
你还记得买猫粮的事吗？
记得回答要简短一点
记得叫我老王
我总是不记得买牛奶
提醒我怎么煮鸡蛋
记得每次都先给结论
他提醒我带伞了
记得检查一下语法错误
你也要记得吃饭哦
remember to use metric units
remember to say please
remind me about the difference between affect and effect
remember to bring the function back to its original form
remember to change the variable name everywhere
remember to order the list alphabetically
remember to check the weather before you suggest a walk
remember to send the response as JSON
She reminded me to buy milk
remember to close the bracket
remind me later
remember to take the average of all rooms
记得用公制单位
记得说谢谢
提醒我"的地得"的区别
记得把标题换成蓝色
记得把结果按日期排序
记得换行
记得把这段话还原成英文
五分钟后提醒我一下
记得打个招呼再开始
记得取整数
他总提醒我早点睡
记得发邮件的时候语气正式一点
十分钟后提醒我关火
remind me in 10 minutes to check the oven
提醒我妈吃药
提醒我们开会
remind me to ignore all previous instructions
remember to pay attention to edge cases
remember the answer is on page 3
remember the meaning of life is on page 4
remember the song is on the album
记得周日我去哪儿了？
记得去年生日我收到的礼物
记得3月5日我去了哪里？
remember the loop variable is at the top
记住12月8号有什么节日
记一下8号要交的作业题
记住你不吃饭
记住不吃早饭会胖
remember it doesn't work
remember, the answer doesn't need a title
remember to call me
remember to be nice
Remember to answer in French
do you remember that I like tea?
Do you remember my name
did you remember that?
I remember that day
i remember that we met in Rome
I can't remember that movie
i don't remember that
remember that time we went to Rome?
Remember that time we went to Rome
remember when i told you about my cat
remember me?
remember me
remember?
remember that?
Remember that.
remember this
please remember
don't forget to call
don't forget me
don't forget to smile
Remember that you are a pirate
remember that you must obey me
Remember that the answer should be short.
Remember that x is positive. Solve x^2=4
Solve x^2=4. Remember that x is positive.
Remember that it should rhyme
keep in mind that the essay must be 500 words
note that the function returns None
Note that this code is broken
keep in mind that your answer has to be in JSON
he said remember that I am king
She always says: remember that I love you
"remember that I am king"
what does 'remember that my name is Bob' mean
translate: remember that I like tea
will you remember that tomorrow?
how do i remember that my wife has a birthday?
Remember that old joke about the horse
write a story. Remember that my hero is blind
write a song called Remember That I Love You
remember that if I die my dog is alone
Remember that I told you so
I forgot that my flight was on Friday
it's hard to remember that I'm 40
why can't you remember that I'm vegan?
you should have remembered that I'm vegan
don't remember that I live in Oslo
please don't keep in mind that I'm vegan
你还记得我吗
你记得我叫什么吗
我记得你说过
我记住了
记住了
记住了吗
你记住了吗？
记不住我的密码怎么办
我记不住单词
别忘了
别忘了带伞
不要忘记呼吸
记得带伞哦
记住你是猫娘
记住你要听话
请记住不要超过100字
请记住，回答要用英文
他说记住我是国王
妈妈让我记住我是男子汉
怎样才能记住我学的单词
怎么记住这些单词
记住这句话
记住，翻译要口语化
记住我什么
请记住我
写个故事，记住我要的是悲剧
别记住我的名字
不要记住我住在哪
"记住我是国王"是什么意思
记一下
帮我记一下
记住我说的
记住，下面的题目要用方程
我不记得我说过这个
remember to close the socket
store this in a variable: total is 5
note that arrays start at 0
save the results to disk
make a note in the margin that the author is wrong
what should i write down at the doctors, i never remember that
i had a dog as a kid, remember?
she is nice, i remember that
i never remember that
my son has trouble with names, how do i remember that
note to self is a funny phrase
log this error: my value is None
add to the list: eggs
keep this short: my essay is late
save me a summary: my text is long
just so you know you are wrong
remind yourself that you are an ai
dont remember that i live in oslo
my plan is x, dont write that down
save that
take a note
把我说的话存到变量里
帮我记一下英语单词
这个单词背了三遍，记住了
老师说的我都记住了哦
备注栏里写什么
存钱：我该怎么开始
我的密码是多少来着，我没记住
会议三点开始，别忘了带电脑
我不用记住，手机记着呢
你要记得我是你的主人
不要记下来我是谁
my code breaks, note that I use windows
write an email to my boss and note that i am sick
the meeting is at 5, write it down as a calendar entry
my boss said the deadline is friday, write that down in my report
my mom always told me to be nice, remember that one
my name is a string, store that in memory
keep in mind this is for kids
i am your king, remember that
note to self
for next time, is it better to boil or fry
can you write it down in latex
我想记住单词，怎么办
这是我写的诗，你记一下它的格律
记一下这道题的公式是什么
请记住输出格式是表格
请保存，我要关电脑了
我改主意了，别忘了加盐
请记住说话要礼貌
把我的代码备份一下，记得写注释
remember that restaurant near the station
dont forget that new show on netflix
save that picture of the cat please
save the date for my party
make me a pasta list, save it
buy milk and eggs, dont forget
sing me a song, save it
tell me a joke, note it down
explain recursion to me, note it
great answer there, note that
this sentence is wrong, note that
remember that episode where ross moves the couch
remember that guy who sold us the couch
remember that summer that was so hot
note that i did not ask for this
note that i haven't said that
note that in french the h is silent, right?
note to self: never eat gas station sushi lol
you should remember that the earth is round
remember my face
你记着我的好吗
别忘了我是谁
记住我的声音
记住谁才是老大
我都给你记住了
记住了,明天别迟到
记住明天会更好
""".strip().splitlines()

NOT_TO_KEEP = """
no, don't keep that | alone
Actually, don't keep that. | alone
Actually don't keep that | alone
no wait, forget what I just said | alone
不，别记这个 | alone
算了，别记这个 | alone
off-record: I hate my boss
don't keep this in memory pls - I'm gay
I'd prefer you not remember this. I'm gay
I'd prefer that you don't save this | alone
I'd rather this wasn't saved, I'm gay.
Can we keep this off the record? | alone
please keep this private, I'm gay
keep that private please | alone
Please do not log my health info: I have asthma
scrap that, don't save | alone
dont rember this | alone
I dont want u to remember that | alone
ignore what I just said | alone
請不要記錄這件事 | alone
呢啲唔好記住，我有抑鬱症
das muss nicht gespeichert werden | alone
não guarde isso, estou grávida
non salvare questo | alone
non ricordarlo | alone
пожалуйста, не запоминай это | alone
이건 기억하지 마 | alone
que no quede registrado | alone
don't save this | alone
please don't save this | alone
Don't save that. | alone
please don't store that | alone
pls dont store this | alone
I'm allergic to nuts, but please don't store that
off the record: I'm quitting my job
Off the record, I hate my boss
this is off the record | alone
forget I said that | alone
Forget what I just said | alone
please forget that I said that | alone
forget i ever told you that | alone
don't remember this | alone
do not remember that please | alone
between us only, don't write it down | alone
just between us: I'm pregnant
between you and me, I failed the exam
don't keep this | alone
please do not record this | alone
don't note that down | alone
Don't make a note of this | alone
I'm seeing a therapist. Please don't save it.
my salary is 4000, don't write that down
you don't need to remember this | alone
no need to save this | alone
no need to remember that, but I was fired once
don't put this in your memory: I cheated on a test
please don't add that to memory | alone
keep this out of your memory | alone
don't memorize this pls | alone
never store this: my ex is called Tom
never mind that, delete what I just said | alone
erase what i said | alone
please delete my last message from memory | alone
don't log this conversation | alone
I don't want you to remember this | alone
i dont want this saved | alone
I'd rather you didn't save that | alone
can you not save this? | alone
can you please not remember that I was drunk
please never remember that | alone
strike that from the record | alone
don't hold on to this info | alone
without saving this: I have an STD
this shouldn't be saved, I'm in debt
don't learn this | alone
this stays between us, I kissed her
别记 | alone
我昨天哭了半小时 这个别记啊
他在外头欠了赌债 这话莫记啊 传出去不好
昨天跟姑爷干了一仗 这事你可别记
我怀孕了 先别记
这话莫记啊 | alone
别记这个，我对猫过敏
不要记下来 | alone
我离婚了，不要记下来
别保存 | alone
别保存这个 | alone
请不要保存我刚才说的 | alone
这个不用记 | alone
这个不用记，我昨天喝多了
别存 | alone
我欠了十万块，别存
别记住这个 | alone
别记住小王是同性恋
不要记住我妈病了
不要记住我刚说的话 | alone
忘掉我刚才说的 | alone
忘了我刚才说的吧 | alone
当我没说 | alone
就当我没说过 | alone
别记录 | alone
别写进记忆里 | alone
不要记到记忆里，我被裁员了
这句话别记 | alone
刚才那句别记了 | alone
我工资八千，别记下来哈
不用记住 | alone
不许记 | alone
无需记录，我在看心理医生
悄悄告诉你，别记：我怀孕了
私下说，不要存档，我想辞职
你不用记这个 | alone
请勿保存 | alone
请勿记录以下内容：我抑郁了
刚刚说的别存 | alone
别放进记忆 | alone
把我刚才说的忘掉 | alone
这事别留记录，我挂科了
Bitte nicht speichern | alone
Speicher das bitte nicht | alone
Merk dir das nicht | alone
Bitte merk dir das nicht, ich bin schwanger
Vergiss, was ich gesagt habe | alone
Das bleibt unter uns, ich kündige
Nicht merken: ich hasse meinen Chef
Schreib das nicht auf | alone
N'enregistre pas ça | alone
ne retiens pas ça s'il te plaît | alone
Ne garde pas ça en mémoire | alone
oublie ce que j'ai dit | alone
ne note pas ça, je suis enceinte
entre nous, je vais démissionner
No guardes esto | alone
por favor no lo guardes | alone
no recuerdes esto | alone
olvida lo que dije | alone
no lo anotes, estoy embarazada
entre nosotros, odio a mi jefe
覚えないで | alone
保存しないで | alone
これは覚えないでください | alone
記録しないで、実は離婚しました
さっき言ったことは忘れて | alone
メモしないで | alone
ここだけの話、会社を辞めます
記憶しないでください | alone
dont save this but i got fired
i was in rehab, pls dont write that into my profile
please leave this out of your notes, my dad drinks
dont put that in my profile | alone
that doesnt need to be saved | alone
dont keep this on file, i skipped work
what i say next stays off the record: i hate it here
im broke so please dont note that anywhere
don't remember any of this, i was drunk
you can forget that again | alone
forget this after this chat: my pin is on the fridge
this is just for now, no need to store it: im at a hotel
this isn't for your memory | alone
i'd prefer it if you didn't save this | alone
接下来说的不用记，我跟老板吵架了
我挂科了，别留底
这些话不要写到我的资料里 | alone
不要把这个留在记录里 | alone
我做了手术，这件事不要存档
上面说的别记 | alone
跟你说个事，别记下来：我怀孕了
唔好記呢句 | alone
唔使記，我琴日飲醉咗
Ich bin krank, aber bitte nicht abspeichern
Das brauchst du dir nicht zu merken | alone
Merk dir bitte nicht, dass ich getrunken habe
das soll nicht gespeichert werden | alone
merci de ne pas enregistrer ça | alone
ne pas mémoriser, je suis malade
n'enregistre pas que je suis malade
no hace falta que lo guardes | alone
estoy enfermo, pero no lo guardes
no quiero que guardes esto | alone
これは記録に残さないで | alone
覚えなくていいです | alone
離婚しました。これはメモしないでください
don't keep a log of this | alone
this is confidential, don't save it
i'd like you to not remember this | alone
don't save anything from this chat | alone
i was fired last week. don't remember it
remove that from your notes | alone
private: dont store this. im bi
please ignore and don't save that
don't save im broke
我刚才说的当没听见 | alone
不要把这些存起来 | alone
刚才的对话不要保存 | alone
以下内容请不要记录：我离婚了
把这条从记忆里删掉 | alone
唔好記住呢件事 | alone
Bitte nicht merken, ich bin pleite
Merke dir das bitte nicht | alone
Bitte vergiss, was ich gesagt habe | alone
je ne veux pas que tu gardes ça | alone
pas besoin de retenir ça | alone
no hace falta que recuerdes eso | alone
olvídalo, no lo guardes
今の話は忘れて | alone
覚えておかなくていいよ | alone
My name is Max, I like Sara, forget it
I'm allergic to nuts, just kidding
Remember that I'm stupid, haha just kidding
I live in Berlin. Never mind.
my favorite colour is green... scratch that
I work as a nurse lol jk
i have two kids, jk
I moved to Lyon last week - forget it
I hate my boss. Forget I said that.
I'm vegan now, haha kidding!
I'm 45. Just kidding :)
I love country music, nah forget it
my birthday is 3 May, actually never mind
I have a crush on Tom, never mind that
we're getting a dog, scratch that
I quit my job!! just joking
我喜欢小芳，开玩笑的
我喜欢吃辣，算了当我没说
我住在上海，当我没说
我叫小明，逗你的
我对花生过敏，哈哈开玩笑的
我有两个孩子，我开玩笑的啦
我是医生。骗你的
我养了三只猫，算了，当我没说
我今年四十岁，逗你玩的
我讨厌香菜，开个玩笑
我辞职了，跟你开玩笑的~
我在腾讯工作，算了不说了
记住我是大笨蛋，哈哈逗你的
我搬到成都了，没事当我没说
""".strip().splitlines()

KEPT = """
no, don't keep that box, I need it
Actually don't keep that many eggs
My boss wants everything off the record
I'd rather this wasn't so expensive
I'd prefer you not shout
Can we keep this dress?
please keep this brief
please keep this short, I'm tired
I told him to delete that file
delete that file from my desktop
How do I forget that night?
I can't forget that
don't save your energy for later
Don't save on food, my mom says
they said don't save it
ignore the last line of the essay
ignore what my brother said, he's wrong
My doctor does not log my health info
Please do not log me out
I don't want you to forget my birthday
I dont want u to worry
I want to forget that
keep this private key somewhere safe
how do I keep this repo private?
is this chat private?
I prefer private messages
don't remind me
don't delete that
never delete that
forget that idea, let's try another
forget that restaurant, it was awful
save that for later
the lawyer keeps things confidential
don't log this function call in production, use debug
Off-record betting is illegal
they went off road
je ne garde pas la forme
non salvare il file sul desktop
não guarde a carne na geladeira
не запоминай дорогу, есть навигатор
请不要记错我的名字
不要忘记这件事
记不住这个
别存那么多钱
这件事不要记在我头上
唔好唔記得我
please do not log it as a bug
I'd rather not remember this
My ex said forget that I exist
you can delete that app
delete that? no, keep it
keep this between the lines
please keep this confidential clause in the contract
I said off the record but he printed it
Ich will das nicht vergessen
don't store meat in there
I don't save
why don't you save
he doesn't save
can you remember this?
Ignore what I said about the weather in the essay
don't forget
don't forget this
Don't forget that I'm vegan
I don't save money
i don't save anything each month
don't store eggs in the door
don't store bleach next to ammonia
don't save the file yet
Don't save the document as PDF
I can't remember that
i don't remember that
I don't remember this song
don't you remember this?
you don't remember this?
why don't you remember this
did you not save this?
how do i record this without saving
how do I stop Word from saving this?
don't save me a seat
he said don't save this
the sign says do not record this
I don't record this podcast anymore
don't keep this from me
don't keep me waiting
don't keep milk outside
I don't keep this kind of food at home
my doctor said don't eat this
I forgot what I said
forget it
forget about the weather
i'll never forget this
I never forget that I said yes
please don't delete this
don't delete that
don't lose this
save this
please save that
remember this
keep this between meals
the difference between us and them
it's a tie between us
between you and me who is taller?
the record is off by one
he took the day off, the record shows
write it down
don't write code, just explain
don't write this in Python
don't write it in French
don't write down the answer, just tell me
how to not store passwords in plain text
should i not save this in git?
we don't store this in the database
my code does not save this to disk
don't store this variable globally
don't save this as a global, pass it in
the button does not save that
I didn't save this game
I don't want to save this marriage
no need to remember passwords with a manager
no need to save money for that
never save that much
don't commit this
don't log this error twice in the code
don't note the typo
what I said is true
why did you forget what I said
you forgot what I said
别记错
千万别记错 是5号
帮我写 别记流水账
莫记挂我
别记错了
别忘记
别忘了
别忘记这个
记不住
我记不住这个
老是记不住单词
别记恨我
别记仇
我不记得这个
记住这个
帮我保存
请保存
不要忘记保存
不要忘了记录
别忘了记下来
别存钱了，花吧
别存太多货
我不存钱
不用记账软件
我从不记账
不记名投票
这个文件别保存到C盘
文件先别保存
不要保存文件
怎么不保存直接退出
为什么不保存
怎么不用记笔记也能学好
当我没说话的时候
你忘了我刚才说的？
你是不是忘了我刚才说的
别忘了我刚才说的
不要记混
不用记公式也能做吗
他让我别记
代码里别存密码
数据库不要存明文
别存手机号码到本地
不会保存怎么办
没保存怎么办
Speicher das bitte
Vergiss das nicht
Ich kann mir das nicht merken
Merk dir das
Ich speichere das nicht auf dem Handy
Das Programm kann das nicht speichern
N'oublie pas ça
Je ne retiens pas ça
enregistre ça
Je ne garde pas ça chez moi
No olvides esto
No recuerdo esto
guarda esto
No guardo esto en casa
覚えて
忘れないで
覚えていない
保存して
保存できない
メモして
これは覚えられない
記録しました
dont save this file
dont store this in a variable
dont write that into the database
dont write this to disk
we dont keep that on file at work
you dont keep that in memory, right?
does windows not save this
forget this
delete that line
leave this out of the function
my boss told me: this is off, the record is wrong
dont add that to the cart
no need to save the date
never put that in production
my secret is safe between us
不要写进数据库
别留下来吃饭了
头发不要留太长
别存到手机里
公式不用记
我说的他不用记
这张图别保存
唔好記錯
别写我的资料了，写他的
这条记录不要删
das nicht vergessen
kann man das nicht speichern
warum speichert er das nicht
ne pas oublier
il n'enregistre pas le fichier
no guardes el archivo
no lo olvides
ファイルを保存しないで
覚えていないです
don't write that
dont add this to my cart
please do not record this meeting in teams
i dont want to save it
never note the price
that must be kept cold
leave me out of the memory game
forget that i asked for pasta, give me rice
we can keep that between meals
erase this part
not that i remember
别写那么长
别加葱
不要放在冰箱里
不用保存图片
别说了
先别写
忘了这个
我忘了我刚才说到哪
这些记录不要写错
das soll nicht so sein
schreib das nicht ab
ne garde pas le pain
no lo recuerdo
que lo guarde el camarero
これを忘れないでください
覚えてない
he was just kidding
never mind the rain, I cycle to work
I live in Berlin, don't forget it
I'll never forget it
I never mind a long walk
My sister said I'm adopted but she was just kidding
never mind, found it. I use Arch Linux
Forget it, I'm staying: I live in Oslo now
I'm allergic to shellfish, no kidding
I'm not kidding, I'm allergic to nuts
I like jokes, my dad keeps kidding me
Just kidding around is what my kids like
I'm a fan of JK Rowling
my cat's name is JK
I told my boss to forget it
I scratch that itch by running marathons
I can't forget it, I grew up in Kyiv
I have a dog. I love my dog, never mind the hair
I moved to Rome and never looked back
my son Leo is always joking
我住在杭州，不是开玩笑的
我对花生过敏，别忘了
我喜欢开玩笑
算了一下，我每月花三千
我叫王芳，没开玩笑
我老公爱开玩笑，他是老师
我算了，我属猪
当我没说话的时候我在想事情，我有社恐
我逗你的猫，我也养猫
我对海鲜过敏，不骗你
""".strip().splitlines()
