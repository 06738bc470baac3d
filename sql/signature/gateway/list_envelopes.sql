create function gateway.list_envelopes(
  p_status text[] default null, p_search text default null, p_from timestamptz default null, p_to timestamptz default null,
  p_label_id uuid default null, p_fields text[] default null, p_cursor text default null, p_limit integer default platform.page_size(),
  p_offset integer default 0
)
  returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  c_offset constant bigint := p_offset;
  -- The index of states finds those of one state in their order.
  c_status constant text := case when cardinality(p_status) = 1 then p_status[1] end;
  c_filters constant jsonb := case when cardinality(p_status) > 1 then jsonb_build_object('status', jsonb_build_object('in', p_status)) else '{}' end;
  v_after uuid;
  v_count bigint;
  v_ids uuid[];
  v_items json;
begin
  perform platform.require_scope('envelopes:read');
  v_after := (platform.read_cursor('list_envelopes', '{uuid}', p_cursor, p_offset))[1];
  -- One search serves the count and the page. One additional id says whether a next page exists.
  select count(*), array_agg(found.id order by found.place) filter (where found.place > c_offset and found.place <= c_offset + p_limit + 1)
    into v_count, v_ids
  from (
    select every.id, row_number() over (order by every.id desc) as place
    from signature.search_envelopes(platform.tenant_id(), platform.environment(), p_search, c_status, p_from, p_to, v_after,
      case when v_after is null then platform.most_counted() else p_limit end + 1, c_filters, p_label_id => p_label_id) as every
  ) as found;
  if v_count > platform.most_counted() and c_offset + p_limit >= v_count then
    -- The page ends behind what is counted: a second search skips within the index.
    v_ids := array(
      select every.id
      from signature.search_envelopes(platform.tenant_id(), platform.environment(), p_search, c_status, p_from, p_to, null, p_limit + 1,
        c_filters, p_label_id => p_label_id, p_offset => p_offset) as every
      order by every.id desc);
  end if;
  if p_fields is not null then
    v_items := gateway.envelopes_chosen(v_ids[:p_limit], p_fields);
  else
    -- Each item has one look-up by index, as in gateway.list_proofs.
    select json_agg(found.item order by page.place) into v_items
    from unnest(v_ids[:p_limit]) with ordinality as page (id, place)
    cross join lateral (select gateway.envelopes_json(envelope) as item from api.envelopes as envelope where envelope.id = page.id limit 1) as found;
  end if;
  return platform.page(coalesce(v_items, '[]'), case when v_after is null then v_count end, p_limit, p_offset,
    case when cardinality(v_ids) > p_limit then platform.cursor_after('list_envelopes', v_ids[p_limit]::text) end);
end
$$;
comment on function gateway.list_envelopes(text[], text, timestamptz, timestamptz, uuid, text[], text, integer, integer) is
  E'@param status {signature.envelope_statuses} Only envelopes in one of these states, with commas between them.\n@param search {..255} Only envelopes whose title or `external_id` contains this text, or that have a participant whose name or e-mail address contains this text. The search ignores upper and lower case, and how accents are written.\n@param from Only envelopes that were created at or after this instant.\n@param to Only envelopes that were created before this instant.\n@param label_id Only envelopes with this label.\n@param fields {members of api.envelopes} Only these members of each item.\nGET /envelopes: a page, newest first, of all envelopes or of the envelopes that signature.search_envelopes finds.';
revoke execute on function gateway.list_envelopes(text[], text, timestamptz, timestamptz, uuid, text[], text, integer, integer) from public;
