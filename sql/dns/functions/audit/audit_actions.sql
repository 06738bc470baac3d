create or replace function dns.audit_actions() returns table (action text, says text)
  language sql immutable set search_path = '' as $$
  values ('api_key.created', 'made'), ('api_key.revoked', 'changed'),
    ('zone.created', 'made'), ('zone.records_changed', 'changed'), ('zone.deleted', 'gone'),
    ('zone.dnssec_enabled', 'changed'), ('zone.dnssec_rotated', 'changed'), ('zone.dnssec_key_deleted', 'changed'), ('zone.dnssec_disabled', 'changed'),
    ('zone.activated', 'changed'), ('zone.delegation_lost', 'changed'), ('zone.moved', 'changed'),
    ('zone.aliases_changed', 'changed'), ('zone.cut_off', 'changed'), ('zone.served_again', 'changed')
$$;
comment on function dns.audit_actions() is 'See platform.audit_actions.';
revoke execute on function dns.audit_actions() from public;
grant execute on function dns.audit_actions() to selo_system;
