create or replace function dns.is_special_name(p_name text) returns boolean
  language sql immutable set search_path = '' as $$
select p_name ~ '(^|\.)(internal|invalid|local|localhost|onion)$'
$$;
comment on function dns.is_special_name(text) is
  'Whether a name in lower case without a final dot is, or lies below, one that the public DNS never knows (RFC 6761, 6762, 7686, and the registry of special names).';
revoke execute on function dns.is_special_name(text) from public;
