create or replace function signature.is_envelope_within(p_created_at timestamptz, p_status text, p_filters jsonb) returns boolean
  language sql immutable set search_path = '' as $$
  select (p_created_at > (p_filters ->> 'later_than')::timestamptz) is not false
    and (p_created_at <= (p_filters ->> 'until')::timestamptz) is not false
    and (jsonb_typeof(p_filters -> 'at') is distinct from 'array'
      or p_created_at = any (array(select instant.text::timestamptz from jsonb_array_elements_text(p_filters -> 'at') as instant (text))))
    and (jsonb_typeof(p_filters -> 'status') is distinct from 'object' or (
      (p_status = p_filters #>> '{status,equalTo}') is not false
      and (jsonb_typeof(p_filters #> '{status,in}') is distinct from 'array' or p_filters #> '{status,in}' ? p_status)
      and (p_status > p_filters #>> '{status,greaterThan}') is not false
      and (p_status >= p_filters #>> '{status,greaterThanOrEqualTo}') is not false
      and (p_status < p_filters #>> '{status,lessThan}') is not false
      and (p_status <= p_filters #>> '{status,lessThanOrEqualTo}') is not false))
$$;
comment on function signature.is_envelope_within(timestamptz, text, jsonb) is
  'Whether an envelope made at an instant, in a state, fits filters of GraphQL: {later_than, until, at, status}. status holds the operators of its filter. Null leaves a condition out.';
revoke execute on function signature.is_envelope_within(timestamptz, text, jsonb) from public;
grant execute on function signature.is_envelope_within(timestamptz, text, jsonb) to selo_system;
