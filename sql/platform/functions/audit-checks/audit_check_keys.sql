--! owner selo_system
-- Looks across tenants: a verification compares the platform keys with their events.
-- Every verification, also of one organization, reads the keys. The events are in the chain of the platform itself.
create or replace function platform.audit_check_keys(p_tenant_id uuid) returns setof platform.audit_fault
  language sql stable security definer set search_path = '' as $$
  with event as (
    select kept.id, kept.seq, kept.action, kept.occurred_at, platform.read_json(kept.details) as said
    from platform.audit_events as kept
    where kept.tenant_id = '00000000-0000-0000-0000-000000000000' and kept.environment = 'live'
      and kept.action in ('platform_keys.created', 'platform_keys.rotated', 'platform_keys.recorded')
  ), made as (
    select event.id, event.seq, event.said ->> 'environment' as environment, key.algorithm, key.key_id, event.occurred_at as created_at
    from event
    cross join lateral (values ('Ed25519', event.said ->> 'key_id'), ('ML-DSA-87', event.said ->> 'pq_key_id')) as key (algorithm, key_id)
    where event.action in ('platform_keys.created', 'platform_keys.rotated')
    union all
    -- A key from before the audit trail is compared with the event that recorded the key.
    select event.id, event.seq, event.said ->> 'environment', event.said ->> 'algorithm', event.said ->> 'key_id', (event.said ->> 'created_at')::timestamptz
    from event where event.action = 'platform_keys.recorded'
  ), retired as (
    select key.key_id, event.occurred_at as retired_at
    from event
    cross join lateral (values (event.said ->> 'retired_key_id'), (event.said ->> 'retired_pq_key_id')) as key (key_id)
    where event.action = 'platform_keys.rotated' and key.key_id is not null
    union all
    select event.said ->> 'key_id', (event.said ->> 'retired_at')::timestamptz
    from event where event.action = 'platform_keys.recorded' and event.said ->> 'retired_at' is not null
  ), compared as (
    select coalesce(there.key_id, made.key_id) as key_id, made.id, made.seq, case
        when made.key_id is null then 'the key %s has no event'
        when there.key_id is null then 'the key %s does not exist any more'
        when there.key_id is distinct from platform.platform_key_id(there.algorithm, there.public_key) then 'the key %s has a name that does not match its public key'
        when (there.environment, there.algorithm) is distinct from (made.environment, made.algorithm) then 'the key %s has another environment or algorithm than its event'
        when there.status is distinct from case when retired.key_id is null then 'active' else 'retired' end then 'the key %s has another status than its events'
        when (there.status = 'retired') is distinct from (there.retired_at is not null) then 'the key %s has a wrong time of retirement'
        -- One transaction wrote the time of the key and the time of the event.
        when (there.created_at between made.created_at - interval '1 hour' and made.created_at + interval '1 hour') is not true
          then 'the key %s has a wrong time of creation'
        when there.status = 'retired' and (there.retired_at between retired.retired_at - interval '1 hour' and retired.retired_at + interval '1 hour') is not true
          then 'the key %s has a wrong time of retirement' end as fault
    from platform.platform_keys as there
    full join made on made.key_id = there.key_id
    left join retired on retired.key_id = there.key_id
  )
  select 'keys', '00000000-0000-0000-0000-000000000000'::uuid, 'live', 'platform', '00000000-0000-0000-0000-000000000000'::uuid,
    coalesce(compared.seq, 1), compared.id, format(compared.fault, compared.key_id)
  from compared
  where compared.fault is not null and (p_tenant_id is null or p_tenant_id = '00000000-0000-0000-0000-000000000000')
$$;
comment on function platform.audit_check_keys(uuid) is
  'Finds platform keys without an event, events without a platform key, keys whose name does not match their public key, and keys whose environment, status or times differ from their events.';
revoke execute on function platform.audit_check_keys(uuid) from public;
grant execute on function platform.audit_check_keys(uuid) to selo_owner;
