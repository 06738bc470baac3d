create or replace function platform.read_limits(p_type text, p_text text) returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  c_text constant text := regexp_replace(p_text, ',? ?not null$', '');
  c_range constant text[] := regexp_match(c_text, '^(-?\d+)?\.\.(\d+)(?: of \.\.(\d+))?(?: ([a-z]+))?$');
  c_pattern constant text[] := regexp_match(c_text, '^\.\.(\d+), /(.+)/ (.+)$');
  c_else_empty constant text[] := regexp_match(c_text, '^\.\.(\d+), else empty$');
  c_list constant text[] := regexp_match(c_text, '^(\w+\.\w+)(?: but (\w+))?$');
  c_members constant text := (regexp_match(c_text, '^members of (api\.\w+)$'))[1];
  v_names text[];
  v_limits jsonb;
begin
  if c_text = '' then
    v_limits := '{}';
  elsif c_pattern is not null then
    -- An invalid pattern fails here, and not with the first request.
    perform '' ~ c_pattern[2];
    v_limits := jsonb_build_object('maxLength', c_pattern[1]::integer, 'pattern', c_pattern[2], 'message', c_pattern[3]);
  elsif c_else_empty is not null and p_type = 'text' then
    v_limits := jsonb_build_object('elseEmpty', c_else_empty[1]::integer);
  elsif c_members is not null and p_type = 'text[]' then
    select jsonb_build_object('minItems', 1, 'maxItems', count(*), 'items', jsonb_build_object('enum', jsonb_agg(member.name order by member.place)))
      into v_limits
    from platform.wire_members(c_members::regclass) with ordinality as member (name, value, of_one, place);
  elsif c_list is not null then
    execute format('select array_agg(name order by name) from %s where name is distinct from $1', c_list[1]::regclass) into v_names using c_list[2];
    v_limits := jsonb_build_object('enum', v_names, 'namesOf', c_list[1]);
    if p_type = 'text[]' then
      v_limits := jsonb_build_object('minItems', 1, 'maxItems', cardinality(v_names), 'items', v_limits);
    end if;
  elsif c_range is not null then
    v_limits := jsonb_strip_nulls(case
      when c_range[4] is not null and p_type <> 'text' or c_range[1]::bigint > c_range[2]::bigint then null
      when p_type = 'text' and c_range[3] is null then jsonb_build_object('minLength', c_range[1]::bigint, 'maxLength', c_range[2]::bigint, 'format', c_range[4])
      when p_type = 'text[]' then jsonb_build_object('minItems', c_range[1]::bigint, 'maxItems', c_range[2]::bigint,
        'items', jsonb_build_object('maxLength', c_range[3]::bigint))
      when p_type = 'uuid[]' and c_range[3] is null then jsonb_build_object('minItems', c_range[1]::bigint, 'maxItems', c_range[2]::bigint, 'items', jsonb_build_object('format', 'uuid'))
      when p_type in ('smallint', 'integer', 'bigint', 'double precision') and c_range[3] is null then jsonb_build_object('minimum', c_range[1]::bigint, 'maximum', c_range[2]::bigint)
    end);
  end if;
  if v_limits is null then
    raise exception 'the limits {%} of a parameter of type % cannot be read', p_text, p_type;
  end if;
  return case when c_text = p_text then v_limits else v_limits || '{"nullable": false}' end;
end
$$;
comment on function platform.read_limits(text, text) is
  'The limits in the braces of "@param label {..200} Words", as keywords of JSON Schema. A range is of characters (also with a format: "..2048 uri"), of entries ("1..1000 of ..100": each of at most 100 characters) or of a number. "members of api.parcels" allows the names of members. "parcels.statuses but LOST" allows the names of a reference table, as one text or as entries of a list. "..64, /^[0-9a-f]{64}$/ must be 64 hexadecimal digits" has a pattern, and the message for a text without this pattern. "..100, else empty" is for a text by which a row is looked up: a longer text counts as empty and is not refused. "not null" is nullable: false.';
revoke execute on function platform.read_limits(text, text) from public;
