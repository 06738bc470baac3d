--! owner selo_system
-- Looks across tenants: one gateway serves all tenants and writes for all tenants at once.
create function gateway.record_actor_use(p_hashes bytea[]) returns void
  language sql volatile security definer set search_path = '' as $$
  insert into platform.actor_uses as used (tenant_id, kind, actor_id, environment, last_used_at)
  select credential.tenant_id, credential.kind, credential.actor_id, credential.environment, clock_timestamp()
  from platform.credentials as credential
  where credential.digest in (select sha256(seen.hash) from unnest(p_hashes) as seen (hash))
  group by credential.tenant_id, credential.kind, credential.actor_id, credential.environment
  -- All gateways take rows in the same order, so two gateways cannot deadlock.
  order by credential.tenant_id, credential.kind, credential.actor_id, credential.environment
  on conflict (tenant_id, kind, actor_id, environment) do update set last_used_at = greatest(used.last_used_at, excluded.last_used_at)
$$;
comment on function gateway.record_actor_use(bytea[]) is 'Records the last use of actors. The gateway calls this function once a minute with the credentials that it saw since the last call, so that no request writes for itself.';
revoke execute on function gateway.record_actor_use(bytea[]) from public;
grant execute on function gateway.record_actor_use(bytea[]) to selo_app, selo_owner;
