create function gateway.list_proofs(p_search text default null, p_limit integer default 50, p_offset integer default 0) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_total bigint;
  v_items json;
begin
  perform platform.require_scope('proofs:read');
  perform platform.require_page(p_limit, p_offset);
  if coalesce(p_search, '') = '' then
    select count(*) into v_total from (select from api.proofs limit 10001) as counted;
    select json_agg(gateway.proofs_json(listed.proof) order by (listed.proof).registered_at desc, (listed.proof).id desc) into v_items
    from (
      select page as proof from api.proofs as page order by page.registered_at desc, page.id desc limit p_limit offset p_offset
    ) as listed;
  else
    select count(*) into v_total
    from signature.search_proofs(platform.tenant_id(), platform.environment(), p_search, 10001) as counted;
    select json_agg(gateway.proofs_json(proof) order by proof.registered_at desc, proof.id desc) into v_items
    from api.search_proofs(p_search, p_limit, p_offset) as proof;
  end if;
  return platform.page(coalesce(v_items, '[]'), v_total, p_limit, p_offset);
end
$$;
comment on function gateway.list_proofs(text, integer, integer) is 'GET /proofs: a page, newest first, of all proofs or of those search_proofs finds.';
revoke execute on function gateway.list_proofs(text, integer, integer) from public;
