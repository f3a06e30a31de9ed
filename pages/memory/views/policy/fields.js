export default {
  "write": [
    {"name": "mode", "kind": "choice", "options": ["shadow", "auto", "manual"]},
    {"name": "self_approval", "kind": "flag"},
    {"name": "require_approval_types", "kind": "several", "options": ["profile", "preference", "task_state", "constraint", "episode"]},
    {"name": "allowed_types", "kind": "several", "options": ["profile", "preference", "task_state", "constraint", "episode"]},
    {"name": "max_items_per_scope", "kind": "whole", "low": 1, "high": 10000},
    {"name": "min_confidence", "kind": "share", "low": 0, "high": 1},
    {"name": "min_evidence_count", "kind": "whole", "low": 1, "high": 100},
    {"name": "max_writes_per_session", "kind": "whole", "low": 0, "high": 10000},
    {"name": "max_writes_per_hour", "kind": "whole", "low": 0, "high": 100000}
  ],
  "read": [
    {"name": "enable", "kind": "flag"},
    {"name": "max_items", "kind": "whole", "low": 1, "high": 100},
    {"name": "max_tokens", "kind": "whole", "low": 1, "high": 32000},
    {"name": "max_per_type", "kind": "whole", "low": 1, "high": 100},
    {"name": "min_confidence", "kind": "share", "low": 0, "high": 1},
    {"name": "similarity_weight", "kind": "share", "low": 0, "high": 1},
    {"name": "importance_weight", "kind": "share", "low": 0, "high": 1},
    {"name": "recency_weight", "kind": "share", "low": 0, "high": 1}
  ]
};
