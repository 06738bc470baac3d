--! owner selo_system
-- Looks across tenants: credits of all organizations are added up in one snapshot.
create or replace function platform.audit_check_credits(p_tenant_id uuid) returns setof platform.audit_fault
  language sql stable security definer set search_path = '' as $$
  with movement as (
    select kept.* from platform.credit_ledger as kept where p_tenant_id is null or kept.tenant_id = p_tenant_id
  ), began as (
    select setting.value::timestamptz as at from platform.settings as setting where setting.name = 'audit_began_at'
  ), grant_event as (
    select event.tenant_id, event.id, event.seq, event.occurred_at, said.details ->> 'kind' as kind, said.details ->> 'reason' as reason,
      (said.details ->> 'amount')::bigint as amount, (said.details ->> 'ledger_id')::uuid as ledger_id, (said.details ->> 'subject_id')::uuid as subject_id
    from platform.audit_events as event
    cross join lateral (select platform.read_json(event.details) as details offset 0) as said
    where event.action = 'credits.granted' and (p_tenant_id is null or event.tenant_id = p_tenant_id)
  ), found as (
    select coalesce(slots.tenant_id, moved.tenant_id) as tenant_id, null::uuid as event_id, null::bigint as seq,
      format('the balance of %s credits is %s, and the sum of its ledger is %s', coalesce(slots.kind, moved.kind), coalesce(slots.sum, 0), coalesce(moved.sum, 0)) as fault
    from (
      select slot.tenant_id, slot.kind, sum(slot.balance) as sum from platform.credit_balances as slot
      where p_tenant_id is null or slot.tenant_id = p_tenant_id group by slot.tenant_id, slot.kind
    ) as slots
    full join (select movement.tenant_id, movement.kind, sum(movement.amount) as sum from movement group by movement.tenant_id, movement.kind) as moved
      on moved.tenant_id = slots.tenant_id and moved.kind = slots.kind
    where coalesce(slots.sum, 0) <> coalesce(moved.sum, 0)
    union all
    -- A negative slot beside a slot that is too high keeps the sum right. The high slot would then pay with credits that do not exist.
    select slot.tenant_id, null, null, format('a slot of the balance of %s credits is %s', slot.kind, slot.balance)
    from platform.credit_balances as slot
    where (slot.balance >= 0) is not true and (p_tenant_id is null or slot.tenant_id = p_tenant_id)
    union all
    -- Grants whose event names the movement.
    select granted.tenant_id, granted.id, granted.seq, format('the movement %s differs from the recorded grant', granted.ledger_id)
    from grant_event as granted
    left join movement on movement.tenant_id = granted.tenant_id and movement.id = granted.ledger_id
    where granted.ledger_id is not null
      and ((movement.kind, movement.amount, movement.reason, movement.subject_id) is distinct from (granted.kind, granted.amount, granted.reason, granted.subject_id)
        or (movement.created_at between granted.occurred_at - interval '1 hour' and granted.occurred_at + interval '1 hour') is not true)
    union all
    -- Grants from before events named their movements: the ledger must have as many of each kind and amount as the trail has events.
    select coalesce(moved.tenant_id, granted.tenant_id), null, null,
      format('%s grants of %s %s credits (%s) are recorded, and %s are in the ledger', coalesce(granted.count, 0),
        coalesce(moved.amount, granted.amount), coalesce(moved.kind, granted.kind), coalesce(moved.reason, granted.reason), coalesce(moved.count, 0))
    from (
      select movement.tenant_id, movement.kind, movement.amount, movement.reason, count(*) from movement, began
      where (movement.amount < 0) is not true and (movement.created_at <= began.at) is not true
        and not exists (select from grant_event as named where named.tenant_id = movement.tenant_id and named.ledger_id = movement.id)
      group by movement.tenant_id, movement.kind, movement.amount, movement.reason
    ) as moved
    full join (
      select unnamed.tenant_id, unnamed.kind, unnamed.amount, unnamed.reason, count(*) from grant_event as unnamed
      where unnamed.ledger_id is null group by unnamed.tenant_id, unnamed.kind, unnamed.amount, unnamed.reason
    ) as granted
      on granted.tenant_id = moved.tenant_id and granted.kind = moved.kind and granted.amount = moved.amount and granted.reason = moved.reason
    where moved.count is distinct from granted.count
    union all
    -- Spent credits: the subject must have the event that the price names.
    select movement.tenant_id, null, null, format('the movement %s has no matching event', movement.id)
    from movement
    cross join began
    join platform.prices as price on price.reason = movement.reason
    left join platform.audit_events as event
      on event.tenant_id = movement.tenant_id and event.environment = 'live' and event.subject_id = movement.subject_id and event.action = price.action
    where movement.amount < 0 and case
        when event.id is null then (movement.created_at <= began.at) is not true
        else (movement.created_at between event.occurred_at - interval '1 hour' and event.occurred_at + interval '1 hour') is not true end
    union all
    -- Every payment must have a price, and a subject is paid for once.
    select movement.tenant_id, null, null, format('the movement %s has no price', movement.id)
    from movement
    where movement.amount < 0
      and not exists (select from platform.prices as price where (price.reason, price.kind, -price.amount) = (movement.reason, movement.kind, movement.amount))
      -- A movement may pay a price several times: as often as the event of its subject says, in <kind>_credits.
      and not exists (
        select from platform.prices as price
        join platform.audit_events as event on event.tenant_id = movement.tenant_id and event.environment = 'live'
          and event.subject_id = movement.subject_id and event.action = price.action
        where (price.reason, price.kind) = (movement.reason, movement.kind)
          and movement.amount = -price.amount * (platform.read_json(event.details) ->> (price.kind || '_credits'))::bigint)
    union all
    select movement.tenant_id, null, null, format('credits were spent %s times for %s', count(*), movement.subject_id)
    from movement where movement.amount < 0 group by movement.tenant_id, movement.subject_id, movement.reason having count(*) > 1
    union all
    select movement.tenant_id, null, null, format('more %s credits were given back for %s than were spent', movement.kind, movement.subject_id)
    from movement where movement.subject_id is not null
    group by movement.tenant_id, movement.subject_id, movement.kind having sum(movement.amount) > 0
    union all
    select movement.tenant_id, null, null, format('the movement %s has %s rows in the ledger', movement.id, count(*))
    from movement group by movement.tenant_id, movement.id having count(*) > 1
    union all
    -- The id is made in the transaction of the movement. api.credit_usage looks days up by id.
    select movement.tenant_id, null, null, format('the movement %s has another time than its id', movement.id)
    from movement
    where (abs(extract(epoch from movement.created_at) * 1000 - ('x' || lpad(left(replace(movement.id::text, '-', ''), 12), 16, '0'))::bit(64)::bigint) <= 3600000) is not true
    union all
    select coalesce(old.tenant_id, recorded.tenant_id), recorded.id, recorded.seq, 'the movements from before the audit trail differ from the recorded digest'
    from platform.old_ledger_digests(p_tenant_id) as old
    full join (
      select event.tenant_id, event.id, event.seq, platform.read_json(event.details) as said from platform.audit_events as event
      where event.action = 'credits.recorded' and (p_tenant_id is null or event.tenant_id = p_tenant_id)
    ) as recorded on recorded.tenant_id = old.tenant_id
    where (old.movements::text, old.digest) is distinct from (recorded.said ->> 'movements', recorded.said ->> 'ledger_sha256')
  )
  select 'credits', found.tenant_id, 'live', 'organization', found.tenant_id, coalesce(found.seq, 1), found.event_id, found.fault from found
$$;
comment on function platform.audit_check_credits(uuid) is
  'Finds balances that differ from the sum of their ledger, grants without an event, events of grants without a movement, and credits that were spent without an event or twice for one event, or given back without being spent.';
revoke execute on function platform.audit_check_credits(uuid) from public;
grant execute on function platform.audit_check_credits(uuid) to selo_owner;
