-- What the public asks: proofs by code and by digest, and how often one address may ask.
insert into platform.error_codes (code, status, meaning) values
  ('proof_not_found', 404, 'No proof has this verification code, or no live proof this digest.');

-- The earliest live proof of a digest, whoever registered it.
create index proofs_earliest on signature.proofs (sha256, registered_at, id) where environment = 'live';

grant select on platform.public_codes to selo_system;

-- Counts are worth nothing after a crash, and are written with every public request: no write-ahead log.
create unlogged table platform.request_counts (
  key bytea primary key check (octet_length(key) = 32),
  count integer not null,
  resets_at timestamptz not null
) with (fillfactor = 50);
comment on table platform.request_counts is 'How many requests came from an address in the current window, for all gateways.';
comment on column platform.request_counts.key is 'HMAC-SHA-256 of the address: who asked is not kept.';
comment on column platform.request_counts.count is 'Requests since the window began.';
comment on column platform.request_counts.resets_at is 'When the window ends.';
