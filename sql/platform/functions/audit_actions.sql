create or replace function platform.audit_actions() returns table (action text, says text)
  language sql immutable set search_path = '' as $$
  values
    ('organization.created', 'made'), ('organization.recorded', 'found'),
    ('token.created', 'made'), ('token.recorded', 'found'), ('token.revoked', 'changed'),
    ('analyst.created', 'made'), ('analyst.recorded', 'found'), ('analyst.revoked', 'gone')
$$;
comment on function platform.audit_actions() is
  'The events that a verification believes of a record, and what each says of it: `made`, the first event of its subject; `found`, it was there before events said so; `changed`; `gone`, by an event; `made for a time` and `found for a time`, it goes without an event. All but `gone` hold its digest, see platform.record_digest.';
revoke execute on function platform.audit_actions() from public;
grant execute on function platform.audit_actions() to selo_system;
