"""Facts with a weekday, said on Wednesday 2026-11-25; those aside were not looked at for the patterns."""

RECURRING = (
    "User plays chess on Friday nights",
    "User swims on Friday and Monday each week",
    "User has band practice on Friday, every week",
    "User usually calls grandma on Sunday",
    "User plans to take the bins out every other Tuesday, on Thursday at the latest",
    "User takes a class on Friday's boat",
    "User always bakes on Saturday morning",
    "用户周五晚上的课讲摄影",
    "用户每个周五打羽毛球",
    "用户周一到周五上班",
)
RECURRING_ASIDE = (
    "User's book club meets on Monday evenings",
    "User works from home on Tuesday and Thursday most weeks",
    "User normally does the laundry on Sunday",
    "User has weekly therapy on Monday",
    "User's shop is closed on Monday all year round",
    "User never eats meat on Friday",
    "用户一般周六去爬山",
    "用户周二周四都有瑜伽课",
    "用户隔周周三值班",
    "用户习惯周日给妈妈打电话",
)
SINGLE = {
    "User meets Tom on Friday": "2026-11-27",
    "User has to hand in the thesis by Monday": "2026-11-30",
    "User flies to Lima on Saturday morning": "2026-11-28",
    "User is off until Thursday": "2026-11-26",
    "On Sunday User visits the parents": "2026-11-29",
    "User will see the dentist on Tuesday at 3": "2026-12-01",
    "用户周五去医院": "2026年11月27日",
    "用户打算周日下午打球": "2026年11月29日",
    "用户星期一交报告": "2026年11月30日",
    "用户和小李约好礼拜六吃饭": "2026年11月28日",
}
SINGLE_ASIDE = {
    "User's interview is on Monday": "2026-11-30",
    "User plans to move out on Saturday": "2026-11-28",
    "User needs a present for the wedding on Sunday": "2026-11-29",
    "User's parcel arrives on Thursday night": "2026-11-26",
    "User wants to finish the draft before Tuesday": "2026-12-01",
    "User and Ana go to a concert on Friday": "2026-11-27",
    "用户周四面试": "2026年11月26日",
    "用户准备周六搬家": "2026年11月28日",
    "用户周二要做手术": "2026年12月1日",
    "用户星期天坐飞机回上海": "2026年11月29日",
}
