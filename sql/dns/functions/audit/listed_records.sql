create or replace function dns.listed_records(p_records json) returns table (id bigint, said json)
  language sql immutable set search_path = '' as $$
  select case when listed.value ->> 'id' ~ '^[0-9]{1,18}$' then (listed.value ->> 'id')::bigint end, listed.value
  from json_array_elements(case when json_typeof(p_records) = 'array' then p_records else '[]' end) as listed
$$;
comment on function dns.listed_records(json) is
  'The records that a change lists as added or removed, each with its id. Of a list that was tampered with, what can be read.';
revoke execute on function dns.listed_records(json) from public;
grant execute on function dns.listed_records(json) to selo_system;
