create or replace function signature.parse_formula(p_envelope_id uuid, p_formula text, out steps jsonb, out fault text)
  language plpgsql stable set search_path = '' as $$
declare
  c_deepest constant integer := 50;
  v_steps text[] := '{}';
  -- What waits for its right operand, and where it stands.
  v_waiting text[] := '{}';
  v_columns integer[] := '{}';
  v_depth integer := 0;
  v_needs_value boolean := true;
  v_column integer := 1;
  v_token text;
  v_top text;
begin
  while v_column <= char_length(p_formula) loop
    v_token := substring(substr(p_formula, v_column) from '^( +|[0-9]+(?:\.[0-9]+)?|\{[^{}]*\}|[-+*/()])');
    fault := case
      when v_token is null then 'has a character that is no part of a formula'
      when v_token ~ '^[0-9{(]' and not v_needs_value then 'must have an operator here'
      when v_token ~ '^[*/)]' and v_needs_value then 'must have a value here'
      when v_token ~ '^[0-9]' and v_token !~ '^[0-9]{1,18}(\.[0-9]{1,12})?$' then 'has a number of more than 18 digits before or 12 after the point'
      when v_token ~ '^\{' and not exists (
        select from signature.fields as operand
        where operand.tenant_id = platform.tenant_id() and operand.envelope_id = p_envelope_id and '{' || operand.id || '}' = v_token and operand.type = 'numero')
        then 'must name a field of type numero of the envelope'
      when v_token = '(' and v_depth = c_deepest then format('has more than %s parentheses within each other', c_deepest)
      when v_token = ')' and v_depth = 0 then 'closes a parenthesis that was not opened' end;
    exit when fault is not null;

    if v_token ~ '^[0-9{]' then
      v_steps := v_steps || v_token;
      v_needs_value := false;
    elsif v_token = '(' or v_token = '-' and v_needs_value then
      v_waiting := v_waiting || case v_token when '-' then 'negate' else v_token end;
      v_columns := v_columns || v_column;
      v_depth := v_depth + (v_token = '(')::integer;
    elsif v_token = ')' or v_token ~ '^[-+*/]' and not v_needs_value then
      -- What binds as strongly comes first. A sign binds most.
      loop
        v_top := v_waiting[cardinality(v_waiting)];
        exit when v_top is null or v_top = '(' or v_token in ('*', '/') and v_top in ('+', '-');
        v_steps := v_steps || v_top;
        v_waiting := trim_array(v_waiting, 1);
        v_columns := trim_array(v_columns, 1);
      end loop;
      if v_token = ')' then
        v_waiting := trim_array(v_waiting, 1);
        v_columns := trim_array(v_columns, 1);
        v_depth := v_depth - 1;
      else
        v_waiting := v_waiting || v_token;
        v_columns := v_columns || v_column;
        v_needs_value := true;
      end if;
    end if;
    v_column := v_column + char_length(v_token);
  end loop;

  if fault is null and v_needs_value then
    fault := 'must have a value here';
  elsif fault is null and v_depth > 0 then
    v_column := v_columns[array_position(v_waiting, '(')];
    fault := 'opens a parenthesis that is not closed';
  end if;
  if fault is not null then
    fault := format('column %s: %s', v_column, fault);
    return;
  end if;
  steps := to_jsonb(v_steps || array(select waiting.step from unnest(v_waiting) with ordinality as waiting (step, place) order by waiting.place desc));
end
$$;
comment on function signature.parse_formula(uuid, text) is
  'A formula over number fields of an envelope as steps of a stack machine, in the order of their evaluation: numbers, {field_id}, + - * / and negate. Or its first fault, with the column.';
revoke execute on function signature.parse_formula(uuid, text) from public;
