create or replace function invoicing.whole_rates(p_rates jsonb) returns jsonb
  language sql immutable set search_path = '' as $$
  -- A wrong rate stays as it is, for invoicing.refuse_wrong_service.
  select case when jsonb_typeof(p_rates) = 'object' then coalesce((
      select jsonb_object_agg(given.name, coalesce(to_jsonb(invoicing.rate(given.value #>> '{}')::numeric(5,2)::text), given.value))
      from jsonb_each(p_rates) as given (name, value)), '{}') else p_rates end
$$;
comment on function invoicing.whole_rates(jsonb) is 'Rates in per cent from a request, each with two decimals.';
revoke execute on function invoicing.whole_rates(jsonb) from public;
