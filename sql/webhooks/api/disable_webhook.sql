create function api.disable_webhook(p_id uuid) returns api.webhook_endpoints
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_answer api.webhook_endpoints;
begin
  perform platform.require_scope('webhooks:manage');
  perform webhooks.require_endpoint(p_id);
  perform webhooks.disable_endpoint(p_id, 'manual');
  select answer.* into v_answer from api.webhook_endpoints as answer where answer.id = p_id;
  return v_answer;
end
$$;
comment on function api.disable_webhook(uuid) is
  E'@param id Id of the webhook.\nStops posting to the endpoint. Later events, and waiting deliveries that come due, are skipped. Skipped deliveries can be replayed.';
revoke execute on function api.disable_webhook(uuid) from public;
