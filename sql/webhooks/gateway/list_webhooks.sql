create function gateway.list_webhooks(p_limit integer default 50, p_offset integer default 0) returns json
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform platform.require_scope('webhooks:manage');
  perform platform.require_page(p_limit, p_offset);
  return (
    select platform.page(coalesce(json_agg(gateway.webhook_endpoints_json(endpoint) order by endpoint.id desc), '[]'),
      (select count(*) from api.webhook_endpoints), p_limit, p_offset)
    from (select every.id from api.webhook_endpoints as every order by every.id desc limit p_limit offset p_offset) as page
    join api.webhook_endpoints as endpoint on endpoint.id = page.id);
end
$$;
comment on function gateway.list_webhooks(integer, integer) is 'GET /webhooks: a page of endpoints, newest first.';
revoke execute on function gateway.list_webhooks(integer, integer) from public;
