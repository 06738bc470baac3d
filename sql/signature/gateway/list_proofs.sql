create function gateway.list_proofs(
  p_search text default null, p_from timestamptz default null, p_to timestamptz default null, p_fields text[] default null, p_cursor text default null,
  p_limit integer default platform.page_size(), p_offset integer default 0
)
  returns json language plpgsql stable security definer set search_path = '' as $$
declare
  c_is_search constant boolean := coalesce(p_search, '') <> '';
  c_is_part constant boolean := coalesce(p_from::text, p_to::text, p_cursor) is not null;
  v_after text[];
  v_most integer;
  v_total bigint;
  v_ids uuid[];
  v_instants timestamptz[];
  v_items json;
begin
  perform platform.require_scope('proofs:read');
  v_after := platform.read_cursor('list_proofs', '{timestamptz,uuid}', p_cursor, p_offset);
  -- Ids come first: proofs that are skipped or only counted are neither read nor written as JSON. One additional id says whether a next page exists.
  if c_is_search or c_is_part then
    -- One search serves the count and the page.
    v_most := case when v_after is null then least(greatest(platform.most_counted(), p_offset::bigint + p_limit) + 1, 2147483647) else p_limit + 1 end;
    with found as materialized (
      select every.id, every.registered_at
      from signature.search_proofs(platform.tenant_id(), platform.environment(), p_search, v_most) as every
      where not c_is_part
      union all
      select every.id, every.registered_at
      from signature.search_proofs_within(platform.tenant_id(), platform.environment(), coalesce(p_search, ''), p_from, p_to,
        v_after[1]::timestamptz, v_after[2]::uuid, v_most) as every
      where c_is_part
    ), page as (
      select found.id, found.registered_at from found
      order by found.registered_at desc, found.id desc limit p_limit + 1 offset p_offset
    )
    select (select count(*) from found),
        (select array_agg(page.id order by page.registered_at desc, page.id desc) from page),
        (select array_agg(page.registered_at order by page.registered_at desc, page.id desc) from page)
      into v_total, v_ids, v_instants;
  else
    select count(*) into v_total from (select from api.proofs limit platform.most_counted() + 1) as counted;
    select array_agg(newest.id order by newest.registered_at desc, newest.id desc), array_agg(newest.registered_at order by newest.registered_at desc, newest.id desc)
      into v_ids, v_instants
    from (
      select every.id, every.registered_at from api.proofs as every
      order by every.registered_at desc, every.id desc limit p_limit + 1 offset p_offset
    ) as newest;
  end if;
  if p_fields is not null then
    v_items := gateway.proofs_chosen(v_ids[:p_limit], p_fields);
  else
    -- Each item has one look-up by index (limit 1): a join would be planned while the tables are small, and would read every proof.
    select json_agg(found.item order by page.place) into v_items
    from unnest(v_ids[:p_limit]) with ordinality as page (id, place)
    cross join lateral (select gateway.proofs_json(proof) as item from api.proofs as proof where proof.id = page.id limit 1) as found;
  end if;
  return platform.page(coalesce(v_items, '[]'), case when v_after is null then v_total end, p_limit, p_offset,
    case when cardinality(v_ids) > p_limit then platform.cursor_after('list_proofs', platform.instant(v_instants[p_limit]), v_ids[p_limit]::text) end);
end
$$;
comment on function gateway.list_proofs(text, timestamptz, timestamptz, text[], text, integer, integer) is
  E'@param search {..255} Only proofs whose digest starts with this text, or whose label or file name contains this text. The search ignores upper and lower case, and how accents are written.\n@param from Only proofs that were registered at or after this instant.\n@param to Only proofs that were registered before this instant.\n@param fields {members of api.proofs} Only these members of each item.\nGET /proofs: a page, newest first, of all proofs or of the proofs that search_proofs finds.';
revoke execute on function gateway.list_proofs(text, timestamptz, timestamptz, text[], text, integer, integer) from public;
