create or replace function webhooks.audit_actions() returns table (action text, says text)
  language sql immutable set search_path = '' as $$
  values
    ('webhook.created', 'made'), ('webhook.recorded', 'found'), ('webhook.changed', 'changed'), ('webhook.secret_rotated', 'changed'),
    ('webhook.enabled', 'changed'), ('webhook.disabled', 'changed'), ('webhook.deleted', 'gone'),
    ('webhook.stream_opened', 'made for a time'), ('webhook.stream_recorded', 'found for a time')
$$;
comment on function webhooks.audit_actions() is 'See platform.audit_actions.';
revoke execute on function webhooks.audit_actions() from public;
grant execute on function webhooks.audit_actions() to selo_system;
