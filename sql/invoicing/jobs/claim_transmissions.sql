--! owner selo_system
-- Looks across tenants: one worker transmits for all tenants.
create function jobs.claim_transmissions(p_limit integer) returns table (tenant_id uuid, environment text, invoice_id uuid, kind text, lease_id uuid)
  language sql volatile security definer set search_path = '' as $$
  with ranked as (
    select due.tenant_id, due.invoice_id, due.kind, due.due_at, row_number() over (partition by due.tenant_id, due.issuer_id order by due.due_at) + (
        select count(*) from invoicing.transmissions as busy
        where busy.tenant_id = due.tenant_id and busy.issuer_id = due.issuer_id and busy.leased_until >= clock_timestamp()) as place
    from invoicing.transmissions as due
    where due.due_at <= clock_timestamp() and (due.leased_until is null or due.leased_until < clock_timestamp())
  ), chosen as materialized (
    select held.tenant_id, held.invoice_id, held.kind
    from ranked join invoicing.transmissions as held on held.tenant_id = ranked.tenant_id and held.invoice_id = ranked.invoice_id and held.kind = ranked.kind
    where ranked.place <= 5 and (held.leased_until is null or held.leased_until < clock_timestamp())
    order by held.due_at limit p_limit for update of held skip locked
  )
  update invoicing.transmissions as leased set lease_id = extensions.gen_random_uuid(), leased_until = clock_timestamp() + interval '120 seconds'
  from chosen
  where leased.tenant_id = chosen.tenant_id and leased.invoice_id = chosen.invoice_id and leased.kind = chosen.kind
  returning leased.tenant_id, leased.environment, leased.invoice_id, leased.kind, leased.lease_id
$$;
comment on function jobs.claim_transmissions(integer) is 'Leases due transmissions for 120 seconds, at most five of an issuer at once.';
revoke execute on function jobs.claim_transmissions(integer) from public;
grant execute on function jobs.claim_transmissions(integer) to selo_worker;
