create or replace function invoicing.whole_address(p_address jsonb) returns jsonb
  language sql immutable set search_path = '' as $$
  select case when jsonb_typeof(p_address) = 'object' then '{"complement": null, "city_code": null, "postal_code": null}' || (
    select coalesce(jsonb_object_agg(given.name, coalesce(to_jsonb(invoicing.trimmed(case when jsonb_typeof(given.value) = 'string' then given.value #>> '{}' end)), given.value)), '{}')
    from jsonb_each(p_address) as given (name, value)) else p_address end
$$;
comment on function invoicing.whole_address(jsonb) is 'An address from a request with all its members, and its texts without space at their ends: members that the request leaves out are null.';
revoke execute on function invoicing.whole_address(jsonb) from public;
