create or replace function dns.judge_name(p_zone_name text, p_name text, out name text, out fault text)
  language plpgsql immutable set search_path = '' as $$
declare
  c_lower constant text := lower(p_name collate "C");
  c_bare constant text := regexp_replace(c_lower, '\.$', '');
begin
  name := case
    when c_lower in ('', '@') or c_bare = p_zone_name then p_zone_name
    when right(c_bare, length(p_zone_name) + 1) = '.' || p_zone_name then c_bare
    when c_lower = c_bare then c_lower || '.' || p_zone_name
  end;
  fault := case
    when name is null then 'must lie in the zone ' || p_zone_name
    when name = p_zone_name then null
    when octet_length(name) > 253 then 'must have at most 253 characters with the zone'
    -- {1,63} in the pattern would take Postgres most of the time.
    when octet_length(name) > 63 and name ~ '[^.]{64}'
      or left(name, -length(p_zone_name)) !~ case when p_zone_name ~ '\.(in-addr|ip6)\.arpa$' then '^(\*\.)?([a-z0-9_/-]+\.)*$' else '^(\*\.)?([a-z0-9_-]+\.)*$' end
      then 'must have labels of 1 to 63 letters, digits, hyphens and underscores; * stands only as the first label'
  end;
end
$$;
comment on function dns.judge_name(text, text) is
  'The whole name of a record in lower case, without a final dot, or what is wrong with it. A name that ends with the zone''s name is whole, and "" and @ are the apex; any other name is relative, unless it ends with a dot.';
revoke execute on function dns.judge_name(text, text) from public;
