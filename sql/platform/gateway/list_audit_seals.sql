create function gateway.list_audit_seals(p_limit integer default 50, p_offset integer default 0) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_items json;
begin
  perform platform.allow_anyone();
  perform platform.require_page(p_limit, p_offset);
  select json_agg(gateway.audit_seals_json(listed.seal) order by (listed.seal).number desc) into v_items
  from (select page as seal from api.audit_seals as page order by page.number desc limit p_limit offset p_offset) as listed;
  return platform.page(coalesce(v_items, '[]'), (select count(*) from (select from api.audit_seals limit 10001) as counted), p_limit, p_offset);
end
$$;
comment on function gateway.list_audit_seals(integer, integer) is 'GET /public/audit-seals: a page, newest first.';
revoke execute on function gateway.list_audit_seals(integer, integer) from public;
