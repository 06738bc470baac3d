create function gateway.list_signatures(
  p_envelope_id uuid default null, p_from timestamptz default null, p_to timestamptz default null, p_fields text[] default null, p_cursor text default null,
  p_limit integer default platform.page_size(), p_offset integer default 0
)
  returns json language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  c_offset constant bigint := p_offset;
  v_after uuid;
  v_most bigint;
  v_count bigint;
  v_ids uuid[];
begin
  perform platform.require_scope('signatures:read');
  v_after := (platform.read_cursor('list_signatures', '{uuid}', p_cursor, p_offset))[1];
  v_most := case when v_after is null then greatest(platform.most_counted(), c_offset + p_limit) else p_limit end + 1;
  select count(*), array_agg(found.id order by found.place) filter (where found.place > c_offset and found.place <= c_offset + p_limit) into v_count, v_ids
  from (
    select every.id, row_number() over (order by every.id desc) as place
    from (
      select record.id from signature.signature_records as record
      where record.tenant_id = platform.tenant_id() and record.environment = platform.environment() and record.participant_id is not null
        and (p_envelope_id is null or record.envelope_id = p_envelope_id)
        and (p_from is null or record.signed_at >= p_from) and (p_to is null or record.signed_at < p_to)
        and (v_after is null or record.id < v_after)
      order by record.id desc limit v_most) as every
  ) as found;
  return platform.page(
    case when p_fields is not null then gateway.signatures_chosen(v_ids, p_fields) else (
      -- Each item has one look-up by index, as in gateway.list_proofs.
      select coalesce(json_agg(found.item order by page.place), '[]')
      from unnest(v_ids) with ordinality as page (id, place)
      cross join lateral (select gateway.signatures_json(listed) as item from api.signatures as listed where listed.id = page.id limit 1) as found) end,
    case when v_after is null then v_count end, p_limit, p_offset,
    case when v_count > c_offset + p_limit then platform.cursor_after('list_signatures', v_ids[p_limit]::text) end);
end
$$;
comment on function gateway.list_signatures(uuid, timestamptz, timestamptz, text[], text, integer, integer) is
  E'@param envelope_id Only signed records of this envelope.\n@param from Only records that were signed at or after this instant.\n@param to Only records that were signed before this instant.\n@param fields {members of api.signatures} Only these members of each item.\nGET /signatures: a page of signed records, newest first.';
revoke execute on function gateway.list_signatures(uuid, timestamptz, timestamptz, text[], text, integer, integer) from public;
