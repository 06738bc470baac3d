create or replace function invoicing.is_city_code(p_text text) returns boolean
  language sql immutable set search_path = '' as $$
  -- The check digit of nine municipalities is another one (IBGE).
  select p_text in ('2201919', '2201988', '2202251', '2611533', '3117836', '3152131', '4305871', '5203939', '5203962')
    or p_text ~ '^[1-5][0-9]{6}$' and right(p_text, 1)::integer = (
      select (10 - sum(weighed.product / 10 + weighed.product % 10) % 10) % 10
      from (select substr(p_text, position.at, 1)::integer * (2 - position.at % 2) as product from generate_series(1, 6) as position (at)) as weighed)
$$;
comment on function invoicing.is_city_code(text) is 'Whether a text is the code of a municipality (IBGE): seven digits, the last of which checks the others. Null for null.';
revoke execute on function invoicing.is_city_code(text) from public;
