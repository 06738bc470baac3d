--! owner selo_system
-- Looks across tenants: a worker asks for the targets of all organizations.
create function jobs.claim_alias_targets(p_limit integer) returns table (name text, began timestamptz)
  language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from dns.alias_targets as target
  where (target.name, target.type) in (
    select unused.name, unused.type from dns.alias_targets as unused
    where unused.due_at <= clock_timestamp()
      and not exists (select from dns.alias_links as link where reverse(link.via) collate "C" = reverse(unused.name))
    order by unused.due_at limit p_limit for update skip locked);
  return query
  with claimed as (
    update dns.alias_targets as target set due_at = clock_timestamp() + interval '1 minute'
    where (target.name, target.type) in (
      select due.name, due.type from dns.alias_targets as due
      where due.due_at <= clock_timestamp() order by due.due_at limit p_limit for no key update skip locked)
    returning target.name
  )
  select claimed.name, clock_timestamp() from claimed group by claimed.name;
end
$$;
comment on function jobs.claim_alias_targets(integer) is
  'Targets of ALIAS records that the public DNS is to be asked for, the latest first. The caller has a minute for them: then other workers take them over. Removes targets to which no ALIAS leads any more.';
revoke execute on function jobs.claim_alias_targets(integer) from public;
grant execute on function jobs.claim_alias_targets(integer) to selo_worker;
