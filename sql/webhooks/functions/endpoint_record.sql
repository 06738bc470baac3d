create or replace function webhooks.endpoint_record(p_endpoint webhooks.endpoints) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'url', p_endpoint.url, 'description', p_endpoint.description, 'event_types', to_jsonb(p_endpoint.event_types),
    'status', p_endpoint.status, 'disabled_reason', p_endpoint.disabled_reason,
    'previous_secret_expires_at', platform.instant(p_endpoint.previous_secret_expires_at),
    'created_at', platform.instant(p_endpoint.created_at))
$$;
comment on function webhooks.endpoint_record(webhooks.endpoints) is
  'An endpoint in the form that its digest covers: the owner''s choices and the status, without the counts of attempts.';
revoke execute on function webhooks.endpoint_record(webhooks.endpoints) from public;
grant execute on function webhooks.endpoint_record(webhooks.endpoints) to selo_system;
