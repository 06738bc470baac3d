create function gateway.get_webhook(p_id uuid) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_body json;
begin
  perform platform.require_scope('webhooks:manage');
  select gateway.webhook_endpoints_json(endpoint) into v_body from api.webhook_endpoints as endpoint where endpoint.id = p_id;
  if v_body is null then
    perform platform.fail(404, 'not_found', 'There is no such webhook.');
  end if;
  return v_body;
end
$$;
comment on function gateway.get_webhook(uuid) is 'GET /webhooks/{id}: the endpoint, or 404 not_found.';
revoke execute on function gateway.get_webhook(uuid) from public;
