create or replace function platform.as_list(p_value jsonb) returns jsonb
  language sql immutable set search_path = '' as $$
  select case when jsonb_typeof(p_value) = 'string' then jsonb_build_array(p_value) else p_value end
$$;
comment on function platform.as_list(jsonb) is
  'A text as a list of one entry, for gateways of v0.2.0, which give one status where a list now takes several. Any other value as it is.';
revoke execute on function platform.as_list(jsonb) from public;
