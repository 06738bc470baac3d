create or replace function dns.change_digest(p_salt bytea, p_change dns.changes) returns text
  language sql immutable set search_path = '' as $$
  select encode(sha256(p_salt || convert_to(concat_ws(E'\n', p_change.serial, platform.instant(p_change.at), coalesce(p_change.key_id::text, '-'),
    coalesce(p_change.request_id, '-'), p_change.removed, p_change.added), 'UTF8')), 'hex')
$$;
comment on function dns.change_digest(bytea, dns.changes) is
  'The digest of a change, which the audit trail holds: SHA-256 over the salt of the zone and the change, hexadecimal. A reader without the salt learns nothing from the digest.';
revoke execute on function dns.change_digest(bytea, dns.changes) from public;
grant execute on function dns.change_digest(bytea, dns.changes) to selo_system;
