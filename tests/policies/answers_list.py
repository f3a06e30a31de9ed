"""Preferences of people as a model states them: about how the bot answers, and about anything else.

The patterns were written on others, and judged by these.
"""

OF_ANSWERS = """
User prefers short answers over long ones.
User prefers concise, direct responses without unnecessary filler.
User wants brief replies and will ask if more detail is needed.
User asked for answers to be kept under three sentences.
User wants to be answered in German from now on.
User prefers responses in Spanish even when writing in English.
User asked to be called Max instead of Maximilian.
User wants to be addressed as Dr. Patel.
User uses they/them pronouns and wants to be referred to that way.
User asked the assistant not to use emojis.
User dislikes emojis in responses.
User prefers bullet points over long paragraphs.
User asked for plain text without Markdown formatting.
User wants no bullet lists, just flowing prose.
User prefers metric units in all answers.
User wants temperatures given in Fahrenheit rather than Celsius.
User prefers step-by-step explanations when asking how something works.
User likes detailed explanations with examples.
User wants concrete examples whenever a concept is explained.
User prefers simple language without technical jargon.
User asked to have things explained as if to a beginner.
User is an expert and wants answers without basic explanations.
User wants the answer first and the reasoning afterwards.
User prefers a casual, friendly tone in replies.
User asked for a formal and professional tone in responses.
User wants honest, blunt feedback rather than flattery.
User does not want to be praised with phrases like "Great question!"
User asked the assistant to stop apologizing so much.
User prefers no small talk and wants to get straight to the point.
User wants the assistant to ask clarifying questions before answering.
User does not like being asked follow-up questions at the end of replies.
User wants code examples in Python with type hints.
User prefers code only, without explanations, when asking programming questions.
User wants code snippets to include comments on every function.
User likes a bit of humor and the occasional joke in answers.
User does not want jokes or sarcasm in responses.
User wants sources cited for any factual claims.
User asked for links to official documentation with each technical answer.
User prefers comparisons to be shown in tables.
User wants a short summary at the end of long answers.
User asked for British English spelling in replies.
User prefers dates written as DD/MM/YYYY and times in 24-hour format.
User wants prices quoted in euros.
User asked the assistant to say so when it is unsure instead of guessing.
User dislikes disclaimers and warnings such as "consult a professional".
User prefers to be given a single recommendation rather than many options.
User is dyslexic and wants short sentences and clear headings.
User wants hints instead of full solutions when working on homework problems.
User wants grammar mistakes in their English messages corrected in every reply.
User does not want to be called "dude" or "buddy" by the assistant.
用户希望回答尽量简短一些
用户喜欢简洁直接的回答，不要废话
用户要求回复尽量控制在三句话以内
用户希望先给结论，再解释原因
用户不喜欢长篇大论的回复
用户要求以后都用中文回答
用户希望用英文回复，以便练习英语
用户要求使用繁体中文回答
用户希望被称呼为小林
用户要求助手叫自己“老板”
用户不喜欢被称为“您”，希望用“你”
用户希望助手提到自己时用“她”
用户要求回答中不要使用表情符号
用户喜欢回复里带一点表情
用户喜欢分点列出的回答
用户要求不要用列表，用自然段落回答
用户要求不要使用Markdown格式，只要纯文本
用户希望对比类内容用表格展示
用户希望回答使用公制单位
用户希望价格都用人民币表示
用户要求日期按“年-月-日”的格式书写
用户希望解释时一步一步来
用户喜欢详细的解释，并配上例子
用户希望讲解概念时多举生活中的例子
用户希望用通俗易懂的语言解释，不要用专业术语
用户要求像给小学生讲解一样回答问题
用户有专业背景，希望跳过基础知识直接讲重点
用户喜欢轻松口语化的回复语气
用户要求回答语气正式、专业
用户希望助手语气温柔一点，像朋友一样聊天
用户不喜欢客套话，希望直入主题
用户要求不要每次都说“好的，没问题”之类的开场白
用户不喜欢助手总是道歉
用户希望助手直接指出错误，不要一味夸奖
用户希望助手在回答前先问清楚需求
用户不喜欢回复结尾再追问“还需要什么帮助吗”
用户希望代码示例使用Python并加上中文注释
用户要求编程问题只给代码，不要解释
用户希望给出完整可运行的代码，而不是片段
用户习惯让助手在回答里保留英文专业术语
用户喜欢回答里带点幽默
用户不希望助手开玩笑，希望认真回答
用户要求回答事实问题时注明出处
用户要求助手不确定时直接说不知道，不要编造
用户希望长回答最后附上一句话总结
用户不喜欢回答里出现免责声明和“请咨询专业人士”
用户希望只给一个推荐方案，不要列一堆选项
用户做题时希望助手只给提示，不直接给答案
用户要求助手每次回复都纠正其英文语法错误
用户说话时习惯中英夹杂，希望助手也这样回复
""".strip().splitlines()

OF_OTHERS = """
User prefers short hikes over long ones.
User likes short stories more than novels.
User wants brief team meetings of no more than 15 minutes.
User prefers short emails from colleagues.
User's boss prefers concise reports without bullet points.
User keeps a detailed shopping list on the phone.
User likes to make to-do lists every morning.
User likes learning German and wants to reach B2 level.
User prefers watching films in the original language with subtitles.
User likes the sound of Italian but does not speak it.
User is called Bear by friends from school.
User dislikes it when coworkers use first names in formal letters.
User's sister uses they/them pronouns at work.
User uses a lot of emojis when texting friends.
User finds it annoying when their mother sends emojis in every message.
User likes teachers who explain things step by step.
User prefers math textbooks with many worked examples.
User prefers not to answer the phone after 8 p.m.
User does not like answering emails on weekends.
User likes British comedy and dry humor on television.
User hates small talk at office parties.
User prefers Python over Java for work projects.
User's team requires comments on all functions in the codebase.
User wants honest feedback from their manager during annual reviews.
User likes doctors who explain treatment options in simple language.
User asked their landlord for a written answer about the deposit.
User prefers vegetarian food and avoids mushrooms.
User likes spicy Thai food.
User is allergic to peanuts.
User prefers window seats on long flights.
User prefers traveling by train rather than by plane.
User wants to visit Japan in the spring.
User likes hotels close to the beach.
User prefers working from home on Fridays.
User wants to change careers and become a nurse.
User prefers studying at night in the library.
User likes jazz and goes to live concerts.
User prefers tea to coffee in the morning.
User wants to lose ten kilos before summer.
User enjoys running three times a week.
User likes cats but is not fond of dogs.
User prefers cotton clothes in dark colors.
User wants to buy a used electric car under 20,000 euros.
User likes playing strategy board games with their children.
User prefers to pay in cash at small shops.
User dislikes crowded places and loud music.
User wants to learn the guitar this year.
User prefers an apartment with a balcony near the city center.
User asked for a recipe for lasagna without meat.
User likes gardening and grows tomatoes on the terrace.
用户喜欢看短篇小说，不爱看长篇
用户希望公司的会议简短一些
用户喜欢简洁的家居装修风格
用户的领导要求周报简短，分点列出
用户不喜欢同事发很长的语音消息
用户习惯每天早上列待办清单
用户喜欢用表格记录每月开支
用户喜欢学英语，希望雅思考到7分
用户喜欢看英文原声电影，不看配音版
用户觉得法语很好听，想以后学
用户在朋友中的外号叫“胖虎”
用户不喜欢亲戚叫自己的小名
用户的女儿希望老师叫她的英文名
用户喜欢收集表情包，常和朋友斗图
用户不喜欢妈妈每条微信都发表情
用户喜欢讲课时多举例子的老师
用户喜欢步骤详细的菜谱书
用户不喜欢晚上接电话
用户周末不回复工作邮件
用户喜欢幽默的男生
用户不喜欢饭局上的客套和寒暄
用户工作中习惯用Python写数据分析脚本
用户所在团队要求代码必须写中文注释
用户希望上司能直接指出自己的不足
用户希望医生用通俗的话解释病情
用户要求房东书面答复退押金的问题
用户不吃香菜和葱
用户喜欢吃川菜，尤其是水煮鱼
用户对海鲜过敏，不能吃虾
用户习惯早上喝一杯黑咖啡
用户喜欢坐高铁出行，不喜欢坐飞机
用户坐飞机喜欢选靠窗的座位
用户希望明年春天去日本看樱花
用户喜欢住离海边近的民宿
用户希望换一份不用加班的工作
用户习惯晚上在图书馆复习
用户希望考上计算机专业的研究生
用户喜欢听民谣和看现场演出
用户喜欢打羽毛球，每周去两次
用户习惯晚饭后散步半小时
用户希望夏天之前减重十斤
用户喜欢养猫，不太喜欢狗
用户喜欢穿宽松的棉质衣服
用户希望买一辆二十万以内的电动车
用户不喜欢人多嘈杂的地方
用户喜欢周末和孩子一起玩桌游
用户希望在地铁站附近租一套一居室
用户要求推荐一款适合油性皮肤的洗面奶
用户不喜欢用信用卡，习惯手机支付
用户喜欢在阳台上种多肉植物
""".strip().splitlines()
