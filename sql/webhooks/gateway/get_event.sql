create function gateway.get_event(p_id text) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_body json;
begin
  perform platform.require_scope('webhooks:manage');
  select event.body::json into v_body from webhooks.events as event
  where event.tenant_id = platform.tenant_id() and event.environment = platform.environment()
    and event.id = case when p_id ~ '^evt_[0-9a-f]{32}$' then substring(p_id from 5)::uuid end;
  if v_body is null then
    perform platform.fail(404, 'not_found', 'There is no such event.');
  end if;
  return v_body;
end
$$;
comment on function gateway.get_event(text) is
  E'@param id {..100, else empty} Id of the event: `evt_` and 32 hexadecimal digits.\nGET /events/{id}: the event as it is delivered, or 404 not_found.';
revoke execute on function gateway.get_event(text) from public;
