CREATE TABLE ltm_alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT ltm_alembic_version_pkc PRIMARY KEY (version_num)
);

CREATE TABLE ltm_audit (
        id INTEGER NOT NULL,
        actor TEXT NOT NULL,
        action TEXT NOT NULL,
        memory_id TEXT DEFAULT '' NOT NULL,
        "before" TEXT DEFAULT '' NOT NULL,
        "after" TEXT DEFAULT '' NOT NULL,
        reason TEXT DEFAULT '' NOT NULL,
        created_at DATETIME NOT NULL,
        PRIMARY KEY (id)
    );

CREATE TRIGGER ltm_audit_is_not_changed BEFORE UPDATE ON ltm_audit
    BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;

CREATE TRIGGER ltm_audit_is_not_deleted BEFORE DELETE ON ltm_audit
    BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;

CREATE TRIGGER ltm_audit_is_not_replaced BEFORE INSERT ON ltm_audit
    WHEN EXISTS (SELECT 1 FROM ltm_audit WHERE id = NEW.id)
    BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;

CREATE INDEX ltm_audit_memory ON ltm_audit (memory_id, created_at)
    ;

CREATE TABLE ltm_event_vectors (
        id INTEGER NOT NULL,
        event_id TEXT NOT NULL,
        model_id TEXT NOT NULL,
        dimension INTEGER NOT NULL,
        vector BLOB NOT NULL,
        created_at DATETIME NOT NULL,
        PRIMARY KEY (id),
        CONSTRAINT ltm_event_vectors_once UNIQUE (event_id, model_id),
        CONSTRAINT ltm_dimension CHECK (dimension > 0 AND length(vector) = 4 * dimension),
        FOREIGN KEY (event_id) REFERENCES ltm_events (event_id) ON DELETE CASCADE
    );

CREATE INDEX ltm_event_vectors_model ON ltm_event_vectors (model_id, dimension);

CREATE TABLE ltm_events (
        id INTEGER NOT NULL,
        event_id TEXT NOT NULL,
        scope TEXT NOT NULL,
        scope_id TEXT NOT NULL,
        owner_scope TEXT NOT NULL,
        owner_scope_id TEXT NOT NULL,
        source_type TEXT NOT NULL,
        source_role TEXT NOT NULL,
        content JSON DEFAULT '{}' NOT NULL,
        platform_id TEXT DEFAULT '' NOT NULL,
        session_id TEXT DEFAULT '' NOT NULL,
        conversation_id TEXT DEFAULT '' NOT NULL,
        message_id TEXT DEFAULT '' NOT NULL,
        sender_id TEXT DEFAULT '' NOT NULL,
        sender_name TEXT DEFAULT '' NOT NULL,
        level INTEGER NOT NULL,
        extraction TEXT NOT NULL,
        attempts INTEGER DEFAULT '0' NOT NULL,
        last_error TEXT DEFAULT '' NOT NULL,
        retry_at DATETIME,
        lease TEXT DEFAULT '' NOT NULL,
        leased_until DATETIME,
        urgent BOOLEAN DEFAULT 0 NOT NULL,
        created_at DATETIME NOT NULL,
        PRIMARY KEY (id),
        CONSTRAINT ltm_scope CHECK (scope IN ('user', 'group', 'project', 'global')),
        CONSTRAINT ltm_owner_scope CHECK (owner_scope IN ('user', 'group', 'project', 'global')),
        CONSTRAINT ltm_source_type CHECK (source_type IN ('message', 'tool_result', 'system')),
        CONSTRAINT ltm_source_role CHECK (source_role IN ('user', 'assistant', 'tool', 'system')),
        CONSTRAINT ltm_extraction CHECK (extraction IN ('pending', 'done', 'failed', 'skipped')),
        CONSTRAINT ltm_level CHECK (level BETWEEN 1 AND 4),
        CONSTRAINT ltm_attempts CHECK (attempts >= 0),
        UNIQUE (event_id)
    );

CREATE INDEX ltm_events_age ON ltm_events (created_at)
    ;

CREATE INDEX ltm_events_owner ON ltm_events (owner_scope, owner_scope_id, created_at)
    ;

CREATE INDEX ltm_events_queue ON ltm_events (extraction, session_id, created_at)
    ;

CREATE INDEX ltm_events_scope ON ltm_events (scope, scope_id, created_at);

CREATE TABLE "ltm_evidence" (
        id INTEGER NOT NULL,
        evidence_id TEXT NOT NULL,
        memory_id TEXT NOT NULL,
        event_id TEXT NOT NULL,
        quote TEXT NOT NULL,
        extraction_method TEXT NOT NULL,
        extraction_meta JSON DEFAULT '{}' NOT NULL,
        created_at DATETIME NOT NULL,
        PRIMARY KEY (id),
        CONSTRAINT ltm_evidence_once UNIQUE (memory_id, event_id),
        CONSTRAINT ltm_extraction_method CHECK (
            extraction_method IN ('llm_extract', 'confirmed', 'rule', 'user_explicit', 'import')
        ),
        CONSTRAINT ltm_quote CHECK (trim(quote, char(9, 10, 13, 32)) <> ''),
        UNIQUE (evidence_id),
        FOREIGN KEY (memory_id) REFERENCES ltm_items (memory_id) DEFERRABLE INITIALLY DEFERRED,
        FOREIGN KEY (event_id) REFERENCES ltm_events (event_id) ON DELETE RESTRICT
    );

CREATE INDEX ltm_evidence_event ON ltm_evidence (event_id)
    ;

CREATE TRIGGER ltm_evidence_is_not_replaced BEFORE INSERT ON ltm_evidence
    WHEN EXISTS (SELECT 1 FROM ltm_evidence WHERE evidence_id = NEW.evidence_id OR id = NEW.id)
    BEGIN SELECT RAISE(ABORT, 'this evidence is there already'); END;

CREATE TRIGGER ltm_evidence_last_one_stays BEFORE DELETE ON ltm_evidence
    WHEN EXISTS (SELECT 1 FROM ltm_items WHERE memory_id = OLD.memory_id)
        AND NOT EXISTS (SELECT 1 FROM ltm_evidence WHERE memory_id = OLD.memory_id AND id <> OLD.id)
    BEGIN SELECT RAISE(ABORT, 'an item needs evidence'); END;

CREATE TRIGGER ltm_evidence_stays_put
    BEFORE UPDATE OF id, evidence_id, memory_id, event_id ON ltm_evidence
    WHEN NEW.id IS NOT OLD.id OR NEW.evidence_id IS NOT OLD.evidence_id
        OR NEW.memory_id IS NOT OLD.memory_id OR NEW.event_id IS NOT OLD.event_id
    BEGIN SELECT RAISE(ABORT, 'evidence keeps its item and its event'); END;

CREATE VIRTUAL TABLE ltm_fts USING fts5(text, tokenize = 'porter unicode61 remove_diacritics 2');

CREATE TABLE 'ltm_fts_config'(k PRIMARY KEY, v) WITHOUT ROWID;

CREATE TABLE 'ltm_fts_content'(id INTEGER PRIMARY KEY, c0);

CREATE TABLE 'ltm_fts_data'(id INTEGER PRIMARY KEY, block BLOB);

CREATE TABLE 'ltm_fts_docsize'(id INTEGER PRIMARY KEY, sz BLOB);

CREATE TABLE 'ltm_fts_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;

CREATE TABLE ltm_imported_events (
        event_id TEXT NOT NULL,
        import_id TEXT NOT NULL,
        PRIMARY KEY (event_id),
        FOREIGN KEY(event_id) REFERENCES ltm_events (event_id) ON DELETE CASCADE,
        FOREIGN KEY(import_id) REFERENCES ltm_imports (import_id) ON DELETE CASCADE
    );

CREATE INDEX ltm_imported_events_import ON ltm_imported_events (import_id)
    ;

CREATE TABLE ltm_imported_items (
        memory_id TEXT NOT NULL,
        import_id TEXT NOT NULL,
        updated_at DATETIME NOT NULL,
        PRIMARY KEY (memory_id),
        FOREIGN KEY(memory_id) REFERENCES ltm_items (memory_id)
            ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
        FOREIGN KEY(import_id) REFERENCES ltm_imports (import_id) ON DELETE CASCADE
    );

CREATE INDEX ltm_imported_items_import ON ltm_imported_items (import_id)
    ;

CREATE TABLE ltm_imports (
        import_id TEXT NOT NULL,
        actor TEXT NOT NULL,
        kind TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        store_id TEXT DEFAULT '' NOT NULL,
        items INTEGER DEFAULT '0' NOT NULL,
        evidence INTEGER DEFAULT '0' NOT NULL,
        events INTEGER DEFAULT '0' NOT NULL,
        created_at DATETIME NOT NULL,
        undone_at DATETIME,
        PRIMARY KEY (import_id),
        CONSTRAINT ltm_kind CHECK (kind IN ('import', 'restore'))
    );

CREATE INDEX ltm_imports_age ON ltm_imports (created_at)
    ;

CREATE TABLE "ltm_items" (
        id INTEGER NOT NULL,
        memory_id TEXT NOT NULL,
        scope TEXT NOT NULL,
        scope_id TEXT NOT NULL,
        type TEXT NOT NULL,
        fact TEXT NOT NULL,
        fact_key TEXT NOT NULL,
        confidence FLOAT NOT NULL,
        importance FLOAT NOT NULL,
        evidence_count INTEGER NOT NULL,
        ttl_days INTEGER,
        status TEXT NOT NULL,
        reason TEXT DEFAULT '' NOT NULL,
        level INTEGER NOT NULL,
        audience TEXT NOT NULL,
        origin TEXT NOT NULL,
        origin_umo TEXT DEFAULT '' NOT NULL,
        person TEXT DEFAULT '' NOT NULL,
        teller TEXT DEFAULT '' NOT NULL,
        relationship TEXT DEFAULT '' NOT NULL,
        backstory TEXT DEFAULT '' NOT NULL,
        slot TEXT DEFAULT '' NOT NULL,
        superseded_by TEXT,
        supersedes JSON DEFAULT '[]' NOT NULL,
        tags JSON DEFAULT '[]' NOT NULL,
        emotion FLOAT DEFAULT '0' NOT NULL,
        persona_id TEXT DEFAULT '' NOT NULL,
        access_count INTEGER DEFAULT '0' NOT NULL,
        created_at DATETIME NOT NULL,
        updated_at DATETIME NOT NULL,
        last_confirmed_at DATETIME NOT NULL,
        last_accessed_at DATETIME,
        expires_at DATETIME,
        deleted_at DATETIME,
        PRIMARY KEY (id),
        CONSTRAINT ltm_scope CHECK (scope IN ('user', 'group', 'project', 'global')),
        CONSTRAINT ltm_type CHECK (type IN ('profile', 'preference', 'task_state', 'constraint', 'episode')),
        CONSTRAINT ltm_status CHECK (
            status IN ('active', 'shadow', 'pending', 'disabled', 'superseded', 'expired', 'deleted')
        ),
        CONSTRAINT ltm_audience CHECK (audience IN ('chat', 'everywhere')),
        CONSTRAINT ltm_origin CHECK (origin IN ('llm_extract', 'confirmed', 'rule', 'user_explicit', 'import')),
        CONSTRAINT ltm_level CHECK (level BETWEEN 1 AND 4),
        CONSTRAINT ltm_fact CHECK (trim(fact, char(9, 10, 13, 32)) <> ''),
        CONSTRAINT ltm_confidence CHECK (confidence BETWEEN 0 AND 1),
        CONSTRAINT ltm_importance CHECK (importance BETWEEN 0 AND 1),
        CONSTRAINT ltm_emotion CHECK (emotion BETWEEN 0 AND 1),
        CONSTRAINT ltm_evidence_count CHECK (evidence_count >= 1),
        CONSTRAINT ltm_access_count CHECK (access_count >= 0),
        CONSTRAINT ltm_ttl_days CHECK (ttl_days >= 0),
        UNIQUE (memory_id),
        FOREIGN KEY (superseded_by) REFERENCES ltm_items (memory_id)
            ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED
    );

CREATE TRIGGER ltm_items_after_delete AFTER DELETE ON ltm_items
    BEGIN
        DELETE FROM ltm_evidence WHERE memory_id = OLD.memory_id;
        DELETE FROM ltm_fts WHERE rowid = OLD.id;
    END;

CREATE INDEX ltm_items_age ON ltm_items (created_at)
    ;

CREATE TRIGGER ltm_items_before_delete BEFORE DELETE ON ltm_items
    BEGIN DELETE FROM ltm_vectors WHERE memory_id = OLD.memory_id; END;

CREATE INDEX ltm_items_chat ON ltm_items (origin_umo, created_at)
    ;

CREATE TRIGGER ltm_items_keep_their_id BEFORE UPDATE OF id, memory_id ON ltm_items
    WHEN NEW.id IS NOT OLD.id OR NEW.memory_id IS NOT OLD.memory_id
    BEGIN SELECT RAISE(ABORT, 'an item keeps its id'); END;

CREATE INDEX ltm_items_key ON ltm_items (scope, scope_id, fact_key)
    ;

CREATE UNIQUE INDEX ltm_items_live ON ltm_items (scope, scope_id, level, fact_key, person)
        WHERE status IN ('active', 'disabled', 'pending', 'shadow')
    ;

CREATE TRIGGER ltm_items_need_evidence BEFORE INSERT ON ltm_items
    WHEN NOT EXISTS (SELECT 1 FROM ltm_evidence WHERE memory_id = NEW.memory_id)
    BEGIN SELECT RAISE(ABORT, 'an item needs evidence'); END;

CREATE INDEX ltm_items_scope ON ltm_items (scope, scope_id, status)
    ;

CREATE INDEX ltm_items_slot ON ltm_items (scope, scope_id, slot)
    ;

CREATE INDEX ltm_items_status ON ltm_items (status, updated_at)
    ;

CREATE INDEX ltm_items_superseded_by ON ltm_items (superseded_by)
    ;

CREATE TRIGGER ltm_vectors_follow_the_fact AFTER UPDATE OF fact ON ltm_items
    WHEN NEW.fact IS NOT OLD.fact
    BEGIN DELETE FROM ltm_vectors WHERE memory_id = NEW.memory_id; END;

CREATE TABLE ltm_links (
        account TEXT NOT NULL,
        joined_to TEXT NOT NULL,
        created_at DATETIME NOT NULL,
        PRIMARY KEY (account)
    );

CREATE TABLE ltm_meta (
        name TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (name)
    );

CREATE TABLE ltm_paused (
        scope TEXT NOT NULL,
        scope_id TEXT NOT NULL,
        actor TEXT DEFAULT '' NOT NULL,
        created_at DATETIME NOT NULL,
        PRIMARY KEY (scope, scope_id),
        CONSTRAINT ltm_scope CHECK (scope IN ('user', 'group', 'project', 'global'))
    );

CREATE TABLE ltm_policy_versions (
        version INTEGER NOT NULL,
        policy JSON DEFAULT '{}' NOT NULL,
        actor TEXT DEFAULT '' NOT NULL,
        created_at DATETIME NOT NULL,
        PRIMARY KEY (version)
    );

CREATE TABLE ltm_recalls (
        id INTEGER NOT NULL,
        recall_id TEXT NOT NULL,
        owner_scope TEXT NOT NULL,
        owner_scope_id TEXT NOT NULL,
        session_id TEXT DEFAULT '' NOT NULL,
        conversation_id TEXT DEFAULT '' NOT NULL,
        level INTEGER NOT NULL,
        "query" TEXT DEFAULT '' NOT NULL,
        injected JSON DEFAULT '[]' NOT NULL,
        omitted JSON DEFAULT '[]' NOT NULL,
        vectors BOOLEAN DEFAULT 0 NOT NULL,
        created_at DATETIME NOT NULL, reason TEXT DEFAULT '' NOT NULL,
        PRIMARY KEY (id),
        CONSTRAINT ltm_owner_scope CHECK (owner_scope IN ('user', 'group', 'project', 'global')),
        CONSTRAINT ltm_level CHECK (level BETWEEN 1 AND 4),
        UNIQUE (recall_id)
    );

CREATE INDEX ltm_recalls_age ON ltm_recalls (created_at)
    ;

CREATE INDEX ltm_recalls_chat ON ltm_recalls (session_id, owner_scope, owner_scope_id, created_at);

CREATE INDEX ltm_recalls_owner ON ltm_recalls (owner_scope, owner_scope_id, created_at)
    ;

CREATE TABLE ltm_session_levels (
        umo TEXT NOT NULL,
        conversation_id TEXT NOT NULL,
        level INTEGER NOT NULL,
        raised_by TEXT DEFAULT '' NOT NULL,
        updated_at DATETIME NOT NULL,
        PRIMARY KEY (umo, conversation_id),
        CONSTRAINT ltm_level CHECK (level BETWEEN 1 AND 4)
    );

CREATE TABLE ltm_tokens (
        day TEXT NOT NULL,
        provider_id TEXT NOT NULL,
        calls INTEGER DEFAULT '0' NOT NULL,
        prompt_tokens INTEGER DEFAULT '0' NOT NULL,
        answer_tokens INTEGER DEFAULT '0' NOT NULL,
        PRIMARY KEY (day, provider_id),
        CONSTRAINT ltm_tokens CHECK (calls >= 0 AND prompt_tokens >= 0 AND answer_tokens >= 0)
    );

CREATE TABLE ltm_vectors (
        id INTEGER NOT NULL,
        memory_id TEXT NOT NULL,
        model_id TEXT NOT NULL,
        dimension INTEGER NOT NULL,
        vector BLOB NOT NULL,
        created_at DATETIME NOT NULL,
        PRIMARY KEY (id),
        CONSTRAINT ltm_vectors_once UNIQUE (memory_id, model_id),
        CONSTRAINT ltm_dimension CHECK (dimension > 0 AND length(vector) = 4 * dimension),
        FOREIGN KEY (memory_id) REFERENCES ltm_items (memory_id) DEFERRABLE INITIALLY DEFERRED
    );

CREATE INDEX ltm_vectors_model ON ltm_vectors (model_id, dimension);

