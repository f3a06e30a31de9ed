export default {
  "recalls.title": "召回记录",
  "recalls.hint": "发给模型的每个请求，最新的在前：提供了什么、没有提供什么、为什么。",
  "recalls.person": "人员",
  "recalls.only_empty": "只看没有找到内容的",
  "recalls.none": "没有召回记录",
  "recalls.none_hint": "只要有人与机器人说话，这里就会显示召回了什么。",
  "recalls.none_filtered": "没有符合筛选条件的记录。",
  "recalls.off_hint": "没有记录召回：设置项 recall_log_days 为 0。",
  "recalls.at": "时间",
  "recalls.query": "消息",
  "recalls.no_words": "（没有文字）",
  "recalls.chat": "会话",
  "recalls.level": "密级",
  "recalls.given": "已提供",
  "recalls.left_out": "未提供",
  "recalls.empty": "无",
  "recalls.one": "一次召回"
};
