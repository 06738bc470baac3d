--! owner selo_system
-- Looks across tenants: one worker transmits for all tenants.
create function jobs.claim_transmissions(p_limit integer) returns table (tenant_id uuid, environment text, invoice_id uuid, kind text, lease_id uuid)
  language sql volatile security definer set search_path = '' as $$
  with due as materialized (
    select transmission.tenant_id, transmission.invoice_id, transmission.kind, transmission.issuer_id, transmission.due_at
    from invoicing.transmissions as transmission
    where transmission.due_at <= clock_timestamp() and (transmission.leased_until is null or transmission.leased_until < clock_timestamp())
    order by transmission.due_at limit 200 for update skip locked
  ), ranked as (
    select due.*, row_number() over (partition by due.tenant_id, due.issuer_id order by due.due_at) + (
        select count(*) from invoicing.transmissions as busy
        where busy.tenant_id = due.tenant_id and busy.issuer_id = due.issuer_id and busy.leased_until >= clock_timestamp()) as place
    from due
  )
  update invoicing.transmissions as leased set lease_id = extensions.gen_random_uuid(), leased_until = clock_timestamp() + interval '120 seconds'
  from (select ranked.* from ranked where ranked.place <= 5 order by ranked.due_at limit p_limit) as chosen
  where leased.tenant_id = chosen.tenant_id and leased.invoice_id = chosen.invoice_id and leased.kind = chosen.kind
  returning leased.tenant_id, leased.environment, leased.invoice_id, leased.kind, leased.lease_id
$$;
comment on function jobs.claim_transmissions(integer) is 'Leases due transmissions for 120 seconds, at most five of an issuer at once.';
revoke execute on function jobs.claim_transmissions(integer) from public;
grant execute on function jobs.claim_transmissions(integer) to selo_worker;
