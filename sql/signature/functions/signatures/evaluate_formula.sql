create or replace function signature.evaluate_formula(p_steps jsonb, p_operands jsonb, out value text, out fault text)
  language plpgsql immutable set search_path = '' as $$
declare
  c_above constant numeric := 1e18;
  v_step text;
  v_stack numeric[] := '{}';
  v_left numeric;
  v_right numeric;
begin
  -- A value that is missing leaves nothing to divide by.
  if exists (select from jsonb_array_elements_text(p_steps) as step where step like '{%' and p_operands ->> btrim(step, '{}') is null) then
    return;
  end if;
  for v_step in select jsonb_array_elements_text(p_steps) loop
    v_right := v_stack[cardinality(v_stack)];
    if v_step = 'negate' then
      v_stack := trim_array(v_stack, 1) || -v_right;
    elsif v_step in ('+', '-', '*', '/') then
      v_left := v_stack[cardinality(v_stack) - 1];
      if v_step = '/' and v_right = 0 then
        fault := 'cannot be calculated: a divisor is 0';
        return;
      end if;
      v_right := round(case v_step
        when '+' then v_left + v_right
        when '-' then v_left - v_right
        when '*' then v_left * v_right
        -- Truncated after the 13th decimal, so that nothing is rounded twice.
        else div(v_left * 1e13, v_right) * 1e-13 end, 12);
      if abs(v_right) >= c_above then
        fault := 'cannot be calculated: a step has more than 18 digits before the point';
        return;
      end if;
      v_stack := trim_array(v_stack, 2) || v_right;
    else
      v_stack := v_stack || coalesce(p_operands ->> btrim(v_step, '{}'), v_step)::numeric;
    end if;
  end loop;
  value := trim_scale(v_stack[1])::text;
end
$$;
comment on function signature.evaluate_formula(jsonb, jsonb) is
  'The value of a formula, from its steps and from numbers {field_id: text}. Each step is rounded to 12 decimals, half away from zero. The value has no zeros at its end. Null where a number is missing, or with a fault.';
revoke execute on function signature.evaluate_formula(jsonb, jsonb) from public;
