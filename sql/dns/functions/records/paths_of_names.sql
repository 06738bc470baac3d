create or replace function dns.paths_of_names(p_apex text, p_names text[]) returns setof text
  language sql immutable set search_path = '' as $$
  -- From name to name above, each once: a thousand deep names share most names above them.
  with recursive path (name) as (
    select named.name from unnest(p_names) as named (name) where length(named.name) > length(p_apex)
    union
    select above.name from path cross join lateral substring(path.name from position('.' in path.name) + 1) as above (name)
    where length(above.name) > length(p_apex)
  )
  select path.name from path
$$;
comment on function dns.paths_of_names(text, text[]) is 'These names of a zone and all names above them, each once, without the apex.';
revoke execute on function dns.paths_of_names(text, text[]) from public;
grant execute on function dns.paths_of_names(text, text[]) to selo_system;
