create or replace function dns.kept_digest(p_kept dns.deleted_zones) returns text
  language sql immutable set search_path = '' as $$
  select encode(sha256(p_kept.record_salt || convert_to(concat_ws(E'\n', p_kept.name, coalesce(array_to_string(p_kept.nameservers, ' '), '-'), p_kept.serial,
    platform.instant(p_kept.deleted_at), p_kept.records,
    -- A zone that was deleted before it had these has a digest without them.
    p_kept.zone_id, case when p_kept.is_taken is distinct from false then coalesce(p_kept.is_taken::text, 'unknown') end), 'UTF8')), 'hex')
$$;
comment on function dns.kept_digest(dns.deleted_zones) is 'The digest of what is kept of a deleted zone, as the event of its deletion holds it.';
revoke execute on function dns.kept_digest(dns.deleted_zones) from public;
grant execute on function dns.kept_digest(dns.deleted_zones) to selo_system;
