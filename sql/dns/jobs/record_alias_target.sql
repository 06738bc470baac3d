--! owner selo_system
-- Looks across tenants: all who lead to a name share what the public DNS says about it.
create function jobs.record_alias_target(p_name text, p_began timestamptz, p_answers jsonb) returns boolean
  language sql volatile security definer set search_path = '' as $$
  select dns.record_alias_target(p_name, p_began, p_answers)
$$;
comment on function jobs.record_alias_target(text, timestamptz, jsonb) is
  'Records what the public DNS said about a target that a worker claimed, see dns.record_alias_target. Answers whether ALIAS names are to follow.';
revoke execute on function jobs.record_alias_target(text, timestamptz, jsonb) from public;
grant execute on function jobs.record_alias_target(text, timestamptz, jsonb) to selo_worker;
