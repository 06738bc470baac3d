create or replace function invoicing.is_cnpj(p_text text) returns boolean
  language sql immutable set search_path = '' as $$
  -- Letters count as their ASCII code less 48, from July 2026 on (Receita Federal, IN 2.229/2024).
  select p_text ~ '^[0-9A-Z]{12}[0-9]{2}$' and p_text !~ '^(.)\1*$' and right(p_text, 2) = (
    select string_agg(case when digit.sum % 11 < 2 then '0' else (11 - digit.sum % 11)::text end, '' order by digit.place)
    from (
      -- Weights from 2 to 9, from the right.
      select check_digit.place, sum((ascii(substr(p_text, position.at, 1)) - 48) * (2 + (11 + check_digit.place - position.at) % 8)) as sum
      from (values (1), (2)) as check_digit (place) cross join lateral generate_series(1, 11 + check_digit.place) as position (at)
      group by check_digit.place) as digit)
$$;
comment on function invoicing.is_cnpj(text) is 'Whether a text is a CNPJ: 12 digits or capitals, and two digits that check them. Null for null.';
revoke execute on function invoicing.is_cnpj(text) from public;
