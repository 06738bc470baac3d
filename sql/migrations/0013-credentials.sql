-- What gateway.call takes is kept no more: only its SHA-256, by which platform.find_token finds a token since the migration before.
-- squawk-ignore ban-drop-column
alter table platform.token_hashes drop column hash;
alter table platform.token_hashes add constraint token_hashes_pkey primary key using index token_hashes_digest;
