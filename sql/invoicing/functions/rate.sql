create or replace function invoicing.rate(p_text text) returns numeric
  language sql immutable set search_path = '' as $$
  select case when p_text ~ '^(0|[1-9][0-9]?|100)(\.[0-9]{1,2})?$' and p_text::numeric <= 100 then p_text::numeric end
$$;
comment on function invoicing.rate(text) is 'A rate in per cent from a request: 0 to 100 with up to two decimals. Null for any other text.';
revoke execute on function invoicing.rate(text) from public;
