create or replace function platform.record_digest(p_salt bytea, p_record jsonb) returns text
  language sql immutable set search_path = '' as $$
  select encode(sha256(p_salt || convert_to(platform.canonical_json(p_record), 'UTF8')), 'hex')
$$;
comment on function platform.record_digest(bytea, jsonb) is
  'What the audit trail holds of a record: SHA-256 over its salt and its canonical JSON, hexadecimal. Without the salt, nothing can be learned from it.';
revoke execute on function platform.record_digest(bytea, jsonb) from public;
grant execute on function platform.record_digest(bytea, jsonb), platform.canonical_json(jsonb) to selo_system;
