-- What a recall has to know besides the memories themselves. Digests are keyed per tenant.

-- Origins whose memories are no longer given out. '' as source or writer means any; origins are
-- the digests of source and principal that the ledger knows the same writer by, space between.
CREATE TABLE revoked_origin (
  tenant TEXT NOT NULL,
  id TEXT NOT NULL,
  source TEXT NOT NULL,
  writer TEXT NOT NULL,
  origins TEXT NOT NULL,
  since INTEGER NOT NULL,
  revoked_at INTEGER NOT NULL,
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

-- Stored memories that a recall put before a reviewer, once per revision of the policy, with whose they are: the candidate in the
-- vault cannot say that, for only digests of it were ever kept.
CREATE TABLE recalled_item (
  tenant TEXT NOT NULL,
  memory TEXT NOT NULL,
  revision TEXT NOT NULL,
  item TEXT NOT NULL,
  origin TEXT NOT NULL,
  writer TEXT NOT NULL,
  subject TEXT NOT NULL,
  place TEXT NOT NULL,
  PRIMARY KEY (tenant, memory, revision)
) STRICT, WITHOUT ROWID;

CREATE INDEX recalled_by_item ON recalled_item (item);

-- Planted memories that nobody has a reason to read, by the digest of their id.
CREATE TABLE honeytoken (
  tenant TEXT NOT NULL,
  memory TEXT NOT NULL,
  planted_at INTEGER NOT NULL,
  PRIMARY KEY (tenant, memory)
) STRICT, WITHOUT ROWID;
