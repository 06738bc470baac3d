create or replace function platform.audit_actions() returns table (action text, says text)
  language sql immutable set search_path = '' as $$
  values
    ('organization.created', 'made'), ('organization.recorded', 'found'), ('organization.changed', 'changed'),
    ('token.created', 'made'), ('token.recorded', 'found'), ('token.revoked', 'changed'),
    ('analyst.created', 'made'), ('analyst.recorded', 'found'), ('analyst.revoked', 'gone')
$$;
comment on function platform.audit_actions() is
  'The events that a verification believes about a record, each with its meaning. `made`: the first event of its subject. `found`: the record was older than such events. `changed`: the record changed. `gone`: the record was removed. `made for a time` and `found for a time`: the record is later removed without an event. All but `gone` hold the digest of the record (platform.record_digest).';
revoke execute on function platform.audit_actions() from public;
grant execute on function platform.audit_actions() to selo_system;
