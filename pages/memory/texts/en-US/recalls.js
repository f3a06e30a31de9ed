export default {
  "recalls.title": "Recalls",
  "recalls.hint": "Each request to the model, newest first: what it was given, what not and why.",
  "recalls.person": "Person",
  "recalls.only_empty": "Only those that found nothing",
  "recalls.none": "No recalls",
  "recalls.none_hint": "As soon as somebody talks to the bot, it is seen here what was recalled.",
  "recalls.none_filtered": "None of the log fits these filters.",
  "recalls.off_hint": "Recalls are not logged: the setting recall_log_days is 0.",
  "recalls.at": "When",
  "recalls.query": "Message",
  "recalls.no_words": "(no words)",
  "recalls.chat": "Chat",
  "recalls.level": "Level",
  "recalls.given": "Given",
  "recalls.left_out": "Left out",
  "recalls.empty": "Nothing",
  "recalls.one": "A recall"
};
