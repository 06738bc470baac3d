-- For gateways of v0.1.0 that still run. GraphQL's proofs(search:) has taken its place.
create function gateway.search_proofs(p_search text, p_limit integer default platform.page_size(), p_offset integer default 0) returns setof api.proofs
  language plpgsql stable security definer set search_path = ''
  -- Each proof is looked up by its id, which has no statistics: another kind of join would read every proof.
  set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  perform platform.require_scope('proofs:read');
  return query
    select proof.*
    from (
      select found.id, found.registered_at
      from signature.search_proofs(platform.tenant_id(), platform.environment(), p_search,
        least(p_offset::bigint + p_limit, 2147483647)::integer) as found
      order by found.registered_at desc, found.id desc
      limit p_limit offset p_offset
    ) as page
    join api.proofs as proof on proof.id = page.id
    order by page.registered_at desc, page.id desc;
end
$$;
comment on function gateway.search_proofs(text, integer, integer) is E'@param search {..255} The text: hexadecimal digits of a digest, or any part of a label or file name. An empty text finds all proofs.\nProofs whose digest starts with the text, or whose label or file name contains the text, newest first. The search ignores upper and lower case. Only gateways of v0.1.0 call this function.';
revoke execute on function gateway.search_proofs(text, integer, integer) from public;
