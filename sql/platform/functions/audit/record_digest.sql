create or replace function platform.record_digest(p_salt bytea, p_record jsonb) returns text
  language sql immutable set search_path = '' as $$
  select encode(sha256(p_salt || convert_to(platform.canonical_json(p_record), 'UTF8')), 'hex')
$$;
comment on function platform.record_digest(bytea, jsonb) is
  'The digest of a record, which the audit trail holds: SHA-256 over the salt of the record and its canonical JSON, hexadecimal. A reader without the salt learns nothing from the digest.';
revoke execute on function platform.record_digest(bytea, jsonb) from public;
grant execute on function platform.record_digest(bytea, jsonb), platform.canonical_json(jsonb) to selo_system;
