create function gateway.list_proofs(p_search text default null, p_limit integer default platform.page_size(), p_offset integer default 0) returns json
  language plpgsql stable security definer set search_path = ''
  -- Each proof is looked up by its id, which has no statistics: another kind of join would read every proof.
  set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  v_total bigint;
  v_items json;
begin
  perform platform.require_scope('proofs:read');
  -- Ids come first: proofs that are skipped or only counted are neither read nor written as JSON.
  if coalesce(p_search, '') = '' then
    select count(*) into v_total from (select from api.proofs limit platform.most_counted() + 1) as counted;
    select json_agg(gateway.proofs_json(proof) order by page.registered_at desc, page.id desc) into v_items
    from (
      select newest.id, newest.registered_at from api.proofs as newest
      order by newest.registered_at desc, newest.id desc limit p_limit offset p_offset
    ) as page
    join api.proofs as proof on proof.id = page.id;
  else
    -- One search serves the count and the page.
    with found as materialized (
      select every.id, every.registered_at
      from signature.search_proofs(platform.tenant_id(), platform.environment(), p_search,
        greatest(platform.most_counted() + 1, least(p_offset::bigint + p_limit, 2147483647))::integer) as every
    ), page as (
      select found.id, found.registered_at from found
      order by found.registered_at desc, found.id desc limit p_limit offset p_offset
    )
    select (select count(*) from found),
        (select json_agg(gateway.proofs_json(proof) order by page.registered_at desc, page.id desc)
         from page join api.proofs as proof on proof.id = page.id)
      into v_total, v_items;
  end if;
  return platform.page(coalesce(v_items, '[]'), v_total, p_limit, p_offset);
end
$$;
comment on function gateway.list_proofs(text, integer, integer) is
  E'@param search {..255} Only proofs whose digest starts with this, or whose label or file name contains it, whatever the case.\nGET /proofs: a page, newest first, of all proofs or of those search_proofs finds.';
revoke execute on function gateway.list_proofs(text, integer, integer) from public;
