create or replace function platform.read_cursor(p_list text, p_types text[], p_cursor text, p_offset integer) returns text[]
  language plpgsql stable set search_path = '' as $$
declare
  v_parts text[];
  v_key text[] := '{}';
  v_part text;
begin
  if p_cursor is null then
    return null;
  elsif p_offset <> 0 then
    perform platform.refuse_wrong_arguments('{"offset": "must not be given together with cursor"}');
  end if;
  begin
    v_parts := string_to_array(
      convert_from(decode(rpad(translate(p_cursor, '-_', '+/'), (char_length(p_cursor) + 3) / 4 * 4, '='), 'base64'), 'UTF8'), ' ');
    for v_place in 1..cardinality(p_types) loop
      -- The part is written as platform.cursor_after got it. Postgres also reads texts such as "now" as an instant.
      execute format(case p_types[v_place] when 'timestamptz' then 'select platform.instant(%L::%s)' else 'select (%L::%s)::text' end,
        v_parts[v_place + 1], p_types[v_place]) into v_part;
      v_key := v_key || v_part;
    end loop;
    if cardinality(v_parts) = cardinality(p_types) + 1 and platform.cursor_after(p_list, variadic v_key) = p_cursor then
      return v_key;
    end if;
  exception when data_exception then
    null;
  end;
  perform platform.refuse_wrong_arguments('{"cursor": "must be the next_cursor of a page of this list"}');
end
$$;
comment on function platform.read_cursor(text, text[], text, integer) is
  'The parts of the key that a cursor of this list holds, as values of these types. Null without a cursor. 422 invalid_request for a cursor that platform.cursor_after did not make for this list. 422 invalid_request also for a cursor together with an offset.';
revoke execute on function platform.read_cursor(text, text[], text, integer) from public;
