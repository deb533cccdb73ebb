-- Ledger, vault and review queue in one file, so that one commit covers all three.
-- Times are milliseconds since 1970 UTC. Digests in hex are keyed per tenant unless they are
-- the plain SHA-256 of something that is itself impersonal or encrypted.

-- Keys -----------------------------------------------------------------------------------------

CREATE TABLE installation (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  id TEXT NOT NULL,
  master_id TEXT NOT NULL,
  wrapped_root BLOB NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE tenant_key (
  tenant TEXT PRIMARY KEY,
  wrapped BLOB,
  created_at INTEGER NOT NULL,
  destroyed_at INTEGER
) STRICT;

CREATE TABLE revoked_capability (
  id TEXT PRIMARY KEY,
  tenant TEXT NOT NULL,
  revoked_at INTEGER NOT NULL
) STRICT;

-- Vault ----------------------------------------------------------------------------------------

CREATE TABLE subject_key (
  tenant TEXT NOT NULL,
  subject TEXT NOT NULL,
  wrapped BLOB NOT NULL,
  PRIMARY KEY (tenant, subject)
) STRICT, WITHOUT ROWID;

CREATE TABLE seal (
  row INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL,
  id TEXT NOT NULL,
  subject TEXT NOT NULL,
  digest TEXT NOT NULL,
  blob BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (tenant, id)
) STRICT;

CREATE INDEX seal_by_subject ON seal (tenant, subject);

CREATE TABLE number (
  tenant TEXT NOT NULL,
  entity TEXT NOT NULL,
  value TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (tenant, entity, value)
) STRICT, WITHOUT ROWID;

CREATE TABLE number_counter (
  tenant TEXT NOT NULL,
  entity TEXT NOT NULL,
  last INTEGER NOT NULL,
  PRIMARY KEY (tenant, entity)
) STRICT, WITHOUT ROWID;

CREATE TABLE number_use (
  tenant TEXT NOT NULL,
  subject TEXT NOT NULL,
  entity TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (tenant, subject, entity, value)
) STRICT, WITHOUT ROWID;

CREATE INDEX number_use_by_value ON number_use (tenant, entity, value);

-- Ledger ---------------------------------------------------------------------------------------

-- The head of each tenant's chain: how many records, the last hash, the peaks of the Merkle tree
-- and the latest signature over size and root.
CREATE TABLE chain (
  tenant TEXT PRIMARY KEY,
  size INTEGER NOT NULL,
  head BLOB NOT NULL,
  peaks BLOB NOT NULL,
  signed_size INTEGER NOT NULL DEFAULT 0,
  signed_at INTEGER NOT NULL DEFAULT 0,
  signature BLOB
) STRICT, WITHOUT ROWID;

CREATE INDEX chain_unsigned ON chain (tenant) WHERE signed_size < size;

-- Columns that people search by are computed from the hashed text itself, so they cannot be
-- edited into saying something else.
CREATE TABLE record (
  tenant TEXT NOT NULL,
  seq INTEGER NOT NULL,
  type TEXT NOT NULL,
  at INTEGER NOT NULL,
  prev BLOB NOT NULL,
  hash BLOB NOT NULL,
  body TEXT NOT NULL,
  about TEXT GENERATED ALWAYS AS (
    CASE type
      WHEN 'intent' THEN NULL
      WHEN 'receipt' THEN CAST(json_extract(body, '$.intent') AS TEXT)
      ELSE json_extract(body, '$.about')
    END
  ) VIRTUAL,
  PRIMARY KEY (tenant, seq)
) STRICT, WITHOUT ROWID;

CREATE INDEX record_about ON record (tenant, about) WHERE about IS NOT NULL;
CREATE INDEX record_rare ON record (tenant, type, seq) WHERE type NOT IN ('intent', 'receipt');

CREATE TABLE decision (
  tenant TEXT NOT NULL,
  seq INTEGER NOT NULL,
  position INTEGER NOT NULL,
  leaf TEXT NOT NULL,
  id TEXT GENERATED ALWAYS AS (json_extract(leaf, '$.id')) VIRTUAL,
  at INTEGER GENERATED ALWAYS AS (json_extract(leaf, '$.at')) VIRTUAL,
  action TEXT GENERATED ALWAYS AS (json_extract(leaf, '$.action')) VIRTUAL,
  origin TEXT GENERATED ALWAYS AS (json_extract(leaf, '$.origin')) VIRTUAL,
  PRIMARY KEY (tenant, seq, position)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX decision_by_id ON decision (tenant, id);
CREATE INDEX decision_by_time ON decision (tenant, at);
CREATE INDEX decision_by_action ON decision (tenant, action, at);
CREATE INDEX decision_by_origin ON decision (tenant, origin, at);

CREATE TABLE rule_hit (
  tenant TEXT NOT NULL,
  rule TEXT NOT NULL,
  at INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (tenant, rule, at, seq, position)
) STRICT, WITHOUT ROWID;

-- Which decisions were made of which: what a rollback of a source has to follow.
CREATE TABLE derived (
  tenant TEXT NOT NULL,
  parent TEXT NOT NULL,
  seq INTEGER NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (tenant, parent, seq, position)
) STRICT, WITHOUT ROWID;

-- The two sentences behind a finding, kept once; named by the SHA-256 of both.
CREATE TABLE wording (
  digest TEXT PRIMARY KEY,
  en TEXT NOT NULL,
  zh TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Roots of whole subtrees of 256, 65,536 ... records.
CREATE TABLE tile (
  tenant TEXT NOT NULL,
  level INTEGER NOT NULL,
  place INTEGER NOT NULL,
  hash BLOB NOT NULL,
  PRIMARY KEY (tenant, level, place)
) STRICT, WITHOUT ROWID;

-- Intents whose receipt has not come. Derived from the records; verify checks it against them.
-- ``positions`` are those of the decisions that a receipt has to answer.
CREATE TABLE unfinished (
  tenant TEXT NOT NULL,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  positions TEXT NOT NULL,
  PRIMARY KEY (tenant, seq)
) STRICT, WITHOUT ROWID;

-- Review ---------------------------------------------------------------------------------------

CREATE TABLE review_item (
  id TEXT PRIMARY KEY,
  tenant TEXT NOT NULL,
  decision TEXT NOT NULL,
  seal TEXT NOT NULL,
  store TEXT NOT NULL,
  state TEXT NOT NULL,
  version INTEGER NOT NULL,
  action TEXT NOT NULL,
  kind TEXT NOT NULL,
  tier TEXT NOT NULL,
  severity INTEGER NOT NULL,
  source TEXT NOT NULL,
  origin TEXT NOT NULL,
  critical INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  expires_at INTEGER,
  claimed_by TEXT NOT NULL DEFAULT '',
  claimed_until INTEGER NOT NULL DEFAULT 0,
  verdict TEXT NOT NULL DEFAULT '',
  decided_by TEXT NOT NULL DEFAULT '',
  edit_seal TEXT NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX review_by_decision ON review_item (tenant, decision);
CREATE INDEX review_by_kind ON review_item (tenant, state, kind, id);
CREATE INDEX review_by_tier ON review_item (tenant, state, tier, id);
CREATE INDEX review_by_source ON review_item (tenant, state, source, id);
CREATE INDEX review_by_origin ON review_item (tenant, state, origin, id);
CREATE INDEX review_everywhere ON review_item (state, id);
-- Holds every column that can be filtered by, so that rare combinations are found without
-- touching the items themselves.
CREATE INDEX review_by_state ON review_item
  (tenant, state, id, kind, tier, source, store, critical, claimed_by, created_at, origin);
CREATE INDEX review_due ON review_item (expires_at)
  WHERE state IN ('pending', 'awaiting_second') AND expires_at IS NOT NULL;

CREATE TABLE review_rule (
  tenant TEXT NOT NULL,
  rule TEXT NOT NULL,
  state TEXT NOT NULL,
  item TEXT NOT NULL,
  PRIMARY KEY (tenant, rule, state, item)
) STRICT, WITHOUT ROWID;

CREATE INDEX review_rule_by_item ON review_rule (item);

-- How many items of a tenant ('' as origin) and of one origin are in each state.
CREATE TABLE review_count (
  tenant TEXT NOT NULL,
  state TEXT NOT NULL,
  origin TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (tenant, state, origin)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER review_counted_in AFTER INSERT ON review_item
BEGIN
  INSERT INTO review_count (tenant, state, origin, n)
    VALUES (new.tenant, new.state, '', 1), (new.tenant, new.state, new.origin, 1)
    ON CONFLICT (tenant, state, origin) DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER review_counted_out AFTER DELETE ON review_item
BEGIN
  UPDATE review_count SET n = n - 1
    WHERE tenant = old.tenant AND state = old.state AND origin IN ('', old.origin);
END;

CREATE TRIGGER review_recounted AFTER UPDATE OF state ON review_item
WHEN old.state <> new.state
BEGIN
  UPDATE review_count SET n = n - 1
    WHERE tenant = old.tenant AND state = old.state AND origin IN ('', old.origin);
  INSERT INTO review_count (tenant, state, origin, n)
    VALUES (new.tenant, new.state, '', 1), (new.tenant, new.state, new.origin, 1)
    ON CONFLICT (tenant, state, origin) DO UPDATE SET n = n + 1;
  UPDATE review_rule SET state = new.state WHERE item = new.id;
END;
