create or replace function webhooks.disable_endpoint(p_id uuid, p_reason text) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_endpoint record;
  v_last record;
begin
  update webhooks.endpoints as endpoint set status = 'DISABLED', disabled_reason = p_reason
  where endpoint.tenant_id = platform.tenant_id() and endpoint.environment = platform.environment() and endpoint.id = p_id
    and endpoint.status = 'ACTIVE'
  returning endpoint.url, endpoint.consecutive_failures, endpoint.failing_since into v_endpoint;
  if not found then
    return false;
  end if;
  perform platform.record_audit_event('webhook.disabled', 'webhook', p_id, jsonb_build_object('reason', p_reason) || webhooks.endpoint_state(p_id));
  if p_reason <> 'manual' then
    select attempt.error_code, attempt.response_status into v_last from webhooks.attempts as attempt
    where attempt.tenant_id = platform.tenant_id() and attempt.endpoint_id = p_id and attempt.error_code is not null
    order by attempt.id desc limit 1;
    -- The query of the address may hold a secret, which a mail must not contain.
    perform platform.mail_contact('webhook_disabled', jsonb_build_object('id', p_id, 'url', split_part(v_endpoint.url, '?', 1),
      'reason', p_reason, 'failures', v_endpoint.consecutive_failures, 'failing_since', platform.instant(v_endpoint.failing_since),
      'error_code', v_last.error_code, 'response_status', v_last.response_status,
      'kept_days', platform.setting('webhook_retention_days')::integer, 'at', platform.instant(clock_timestamp())));
  end if;
  return true;
end
$$;
comment on function webhooks.disable_endpoint(uuid, text) is
  'Disables an active endpoint of the context. False when the endpoint was not active. The audit trail records the change. The organization''s contact gets a mail, unless a person disabled the endpoint.';
revoke execute on function webhooks.disable_endpoint(uuid, text) from public;
grant execute on function webhooks.disable_endpoint(uuid, text) to selo_system;
