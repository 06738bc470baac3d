create or replace function invoicing.whole_address(p_address jsonb) returns jsonb
  language sql immutable set search_path = '' as $$
  select case when jsonb_typeof(p_address) = 'object' then '{"complement": null, "city_code": null, "postal_code": null}' || p_address else p_address end
$$;
comment on function invoicing.whole_address(jsonb) is 'An address from a request with all its members: those that the request leaves out are null.';
revoke execute on function invoicing.whole_address(jsonb) from public;
