create or replace function platform.wrong_argument(p_limits jsonb, p_value jsonb) returns text
  language plpgsql immutable strict set search_path = '' as $$
declare
  c_text constant text := p_value #>> '{}';
begin
  if c_text is null then
    return case when p_limits @> '{"nullable": false}' then 'must not be null' end;
  elsif p_limits #> '{items,namesOf}' is not null and jsonb_typeof(p_value) = 'string' then
    return platform.wrong_argument(p_limits, platform.as_list(p_value));
  elsif p_limits ? 'items' then
    return case
      when jsonb_typeof(p_value) <> 'array' then 'must be a list'
      when jsonb_array_length(p_value) not between coalesce((p_limits ->> 'minItems')::integer, 0) and (p_limits ->> 'maxItems')::integer
        then format('must have %s to %s entries', coalesce(p_limits ->> 'minItems', '0'), p_limits ->> 'maxItems')
      when exists (select from jsonb_array_elements(p_value) as item where platform.wrong_argument(p_limits -> 'items', item) is not null)
        then case when p_limits #> '{items,namesOf}' is not null
            then (select 'must be one of ' || string_agg(name, ', ') || ', or several of them' from jsonb_array_elements_text(p_limits #> '{items,enum}') as name)
          when p_limits #> '{items,enum}' is null then format('must have entries of at most %s characters', p_limits #>> '{items,maxLength}')
          else 'must have only names of members of the answer, not ' || (
            select string_agg(format('"%s"', item #>> '{}'), ', ' order by place) from jsonb_array_elements(p_value) with ordinality as given (item, place)
            where platform.wrong_argument(p_limits -> 'items', item) is not null) end
    end;
  elsif p_limits ? 'enum' then
    return case when not p_limits -> 'enum' ? c_text
      then 'must be one of ' || (select string_agg(name, ', ') from jsonb_array_elements_text(p_limits -> 'enum') as name) end;
  elsif p_limits ? 'pattern' then
    return case when c_text !~ (p_limits ->> 'pattern') then p_limits ->> 'message' end;
  elsif p_limits ? 'maximum' then
    return case when c_text::numeric not between coalesce((p_limits ->> 'minimum')::numeric, '-Infinity') and (p_limits ->> 'maximum')::numeric
      then coalesce('must be between ' || (p_limits ->> 'minimum') || ' and ', 'must be at most ') || (p_limits ->> 'maximum') end;
  end if;
  return case
    when char_length(c_text) > (p_limits ->> 'maxLength')::integer then format('must have at most %s characters', p_limits ->> 'maxLength')
    when c_text = '' and p_limits ? 'minLength' then 'must not be empty'
    when char_length(c_text) < (p_limits ->> 'minLength')::integer then format('must have at least %s characters', p_limits ->> 'minLength')
  end;
end
$$;
comment on function platform.wrong_argument(jsonb, jsonb) is
  'What is wrong with an argument of a command, for the fields of 422 invalid_request. Null for a right argument. The limits are those of platform.read_limits. Types are not checked here, because a cast of a wrong type fails.';
revoke execute on function platform.wrong_argument(jsonb, jsonb) from public;
