create or replace function invoicing.money(p_text text) returns numeric
  language sql immutable strict set search_path = '' as $$
  select case when p_text ~ '^(0|[1-9][0-9]{0,14})(\.[0-9]{1,2})?$' then p_text::numeric(17,2) end
$$;
comment on function invoicing.money(text) is 'An amount in BRL from a request: up to 15 digits and two decimals. Null for any other text.';
revoke execute on function invoicing.money(text) from public;
