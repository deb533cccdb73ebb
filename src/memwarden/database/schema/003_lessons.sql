-- What confirmed verdicts taught. Words and vectors lie sealed; the table says which seals hold.

-- ``item`` is the review item whose approval takes the lesson back, '' for none.
CREATE TABLE lesson (
  tenant TEXT NOT NULL,
  id TEXT NOT NULL,
  decision TEXT NOT NULL,
  item TEXT NOT NULL,
  seal TEXT NOT NULL,
  learned_at INTEGER NOT NULL,
  revoked_at INTEGER NOT NULL,
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX lesson_by_decision ON lesson (tenant, decision) WHERE revoked_at = 0;
CREATE INDEX lesson_by_seal ON lesson (tenant, seal);
CREATE INDEX lesson_by_item ON lesson (item) WHERE item <> '' AND revoked_at = 0;

-- Counts the changes, so that a process sees at one look whether it knows them all.
CREATE TABLE lesson_revision (
  tenant TEXT PRIMARY KEY,
  n INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER lesson_learned AFTER INSERT ON lesson
BEGIN
  INSERT INTO lesson_revision (tenant, n) VALUES (new.tenant, 1)
    ON CONFLICT (tenant) DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER lesson_changed AFTER UPDATE ON lesson
BEGIN
  UPDATE lesson_revision SET n = n + 1 WHERE tenant = new.tenant;
END;

CREATE TRIGGER lesson_gone AFTER DELETE ON lesson
BEGIN
  UPDATE lesson_revision SET n = n + 1 WHERE tenant = old.tenant;
END;

-- Whoever forgets a person forgets what was learned from their words.
CREATE TRIGGER lesson_erased AFTER DELETE ON seal
BEGIN
  DELETE FROM lesson WHERE tenant = old.tenant AND seal = old.id;
END;

-- A person who approves what taught a lesson takes it back.
CREATE TRIGGER lesson_outvoted AFTER UPDATE OF state ON review_item
WHEN old.state <> new.state AND new.verdict IN ('approve', 'approve_redacted', 'restore')
  AND new.state IN ('approved', 'approved_redacted', 'awaiting_writer')
BEGIN
  UPDATE lesson SET revoked_at = new.changed_at WHERE item = new.id AND revoked_at = 0;
END;
