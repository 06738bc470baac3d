create function gateway.list_labels(
  p_from timestamptz default null, p_to timestamptz default null, p_fields text[] default null, p_cursor text default null,
  p_limit integer default platform.page_size(), p_offset integer default 0
)
  returns json language plpgsql stable security definer set search_path = '' as $$
declare
  v_last uuid;
  v_after text;
  v_total bigint;
  v_ids uuid[];
begin
  perform platform.require_scope('labels:read');
  -- The cursor has the id of the last label, because names may be personal and a cursor stands in addresses.
  v_last := (platform.read_cursor('list_labels', '{uuid}', p_cursor, p_offset))[1];
  if v_last is null then
    select count(*) into v_total from api.labels as label
    where (p_from is null or label.created_at >= p_from) and (p_to is null or label.created_at < p_to);
  else
    select label.name_key into v_after from api.labels as label where label.id = v_last;
    if not found then
      perform platform.refuse_wrong_arguments('{"cursor": "must be of a label that still exists"}');
    end if;
  end if;
  v_ids := array(
    select label.id from api.labels as label
    where (v_after is null or label.name_key > v_after)
      and (p_from is null or label.created_at >= p_from) and (p_to is null or label.created_at < p_to)
    order by label.name_key limit p_limit + 1 offset p_offset);
  return platform.page(
    case when p_fields is not null then gateway.labels_chosen(v_ids[:p_limit], p_fields) else (
      select coalesce(json_agg(gateway.labels_json(label) order by array_position(v_ids, label.id)), '[]')
      from api.labels as label where label.id = any (v_ids[:p_limit])) end,
    v_total, p_limit, p_offset, case when cardinality(v_ids) > p_limit then platform.cursor_after('list_labels', v_ids[p_limit]::text) end);
end
$$;
comment on function gateway.list_labels(timestamptz, timestamptz, text[], text, integer, integer) is
  E'@param from Only labels that were created at or after this instant.\n@param to Only labels that were created before this instant.\n@param fields {members of api.labels} Only these members of each item.\nGET /labels: a page of the labels, by name without regard to case.';
revoke execute on function gateway.list_labels(timestamptz, timestamptz, text[], text, integer, integer) from public;
