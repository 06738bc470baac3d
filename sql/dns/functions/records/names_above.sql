create or replace function dns.names_above(p_apex text, p_names text[]) returns table (name text, above text)
  language sql immutable set search_path = '' as $$
  select cut.name, array_to_string(cut.labels[place:], '.') || '.' || p_apex
  from (
    select asked.name, string_to_array(left(asked.name, -(length(p_apex) + 1)), '.') as labels from unnest(p_names) as asked (name)
  ) as cut
  cross join lateral generate_subscripts(cut.labels, 1) as place
$$;
comment on function dns.names_above(text, text[]) is
  'Each of these names of a zone with itself and with every name above it, without the apex.';
revoke execute on function dns.names_above(text, text[]) from public;
grant execute on function dns.names_above(text, text[]) to selo_system;
