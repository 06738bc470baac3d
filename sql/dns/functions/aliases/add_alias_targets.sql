--! owner selo_system
-- Looks across tenants: all who lead to a name share what the public DNS says about it.
create or replace function dns.add_alias_targets(p_tenant_id uuid, p_names text[], p_due_at timestamptz) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
begin
  -- Those that are there stay: the job that removes what nobody leads to leaves locked rows alone.
  perform from dns.alias_targets as target where target.name = any (p_names) order by target.name, target.type for key share;
  insert into dns.alias_targets (name, type, first_by, due_at)
  -- In one order, because others may add the same names.
  select asked.name, kind.type, p_tenant_id, p_due_at
  from (select distinct named.name from unnest(p_names) as named (name)) as asked cross join (values ('A'), ('AAAA')) as kind (type)
  order by asked.name, kind.type
  on conflict (name, type) do nothing;
  return found;
end
$$;
comment on function dns.add_alias_targets(uuid, text[], timestamptz) is 'Has the public DNS asked for these names, to which ALIAS records of an organization lead: for those that are new at this time. Answers whether some are new.';
revoke execute on function dns.add_alias_targets(uuid, text[], timestamptz) from public;
grant execute on function dns.add_alias_targets(uuid, text[], timestamptz) to selo_owner;
