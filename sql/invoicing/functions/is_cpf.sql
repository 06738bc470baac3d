create or replace function invoicing.is_cpf(p_text text) returns boolean
  language sql immutable set search_path = '' as $$
  select p_text ~ '^[0-9]{11}$' and p_text !~ '^(.)\1*$' and right(p_text, 2) = (
    select string_agg(((digit.sum * 10 % 11) % 10)::text, '' order by digit.place)
    from (
      select check_digit.place, sum(substr(p_text, position.at, 1)::integer * (9 + check_digit.place - position.at + 1)) as sum
      from (values (1), (2)) as check_digit (place) cross join lateral generate_series(1, 8 + check_digit.place) as position (at)
      group by check_digit.place) as digit)
$$;
comment on function invoicing.is_cpf(text) is 'Whether a text is a CPF: 11 digits, the last two of which check the others. Null for null.';
revoke execute on function invoicing.is_cpf(text) from public;
