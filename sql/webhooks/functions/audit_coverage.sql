create or replace function webhooks.audit_coverage() returns table (table_name text, column_name text, check_name text, how text)
  language sql immutable set search_path = '' as $$
  select covered.table_name, named.column_name, covered.check_name, covered.how
  from (values
    ('webhooks.endpoints', '{tenant_id,id,environment,url,description,event_types,status,disabled_reason,previous_secret_expires_at,created_at,record_salt}', 'records', 'compared with the salted digest in the last event of the record'),
    ('webhooks.endpoints', '{sealed_secret,sealed_previous_secret}', null, 'webhooks are signed with an older secret of the same endpoint, or not sent: a secret can be decrypted only for its own endpoint'),
    ('webhooks.endpoints', '{consecutive_failures,failing_since,last_success_at,stream_expires_at}', null, 'an endpoint is disabled too early or too late, or a stream ends too early or too late'),
    ('webhooks.events', '{tenant_id,environment,id,type,occurred_at,body}', null, 'for WEBHOOK_RETENTION_DAYS the log shows another event, and a later delivery or a replay posts that event, signed'),
    ('webhooks.deliveries', '{tenant_id,id,environment,endpoint_id,event_id,event_type,trigger,attempts,automatic_attempts,ready,due_at,attempt_id,leased_until}', null, 'an event is delivered to another endpoint, too early, too late, again or not at all'),
    ('webhooks.attempts', '{tenant_id,id,environment,endpoint_id,delivery_id,event_id,event_type,attempt,automatic_attempts,trigger,status,url,requested_at,duration_ms,response_status,response_body,truncated,error_code,error_detail,next_attempt_at}', null, 'for WEBHOOK_RETENTION_DAYS the log shows another outcome of an attempt'),
    ('webhooks.dispatchers', '{id,is_idle,seen_at}', null, 'a delivery waits a second longer'),
    ('webhooks.event_kinds', '{name,description,data_schema}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('webhooks.endpoint_statuses', '{name,description}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('webhooks.disabled_reasons', '{name,description}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('webhooks.delivery_statuses', '{name,description}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('webhooks.delivery_triggers', '{name,description}', 'reference_data', 'compared with a digest of the rows, recorded after each migration')
  ) as covered (table_name, columns, check_name, how)
  cross join lateral unnest(covered.columns::text[]) as named (column_name)
$$;
comment on function webhooks.audit_coverage() is
  'See platform.audit_coverage.';
revoke execute on function webhooks.audit_coverage() from public;
