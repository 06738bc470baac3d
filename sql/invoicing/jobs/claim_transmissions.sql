--! owner selo_system
-- Looks across tenants: one worker transmits for all tenants.
create function jobs.claim_transmissions(p_limit integer) returns table (tenant_id uuid, environment text, invoice_id uuid, kind text, lease_id uuid)
  language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_column
declare
  v_tenant_ids uuid[];
  v_issuer_ids uuid[];
  v_invoice_ids uuid[];
  v_kinds text[];
begin
  -- A claim reads what is due, and of it ranks at most five of an issuer. What waits for a later attempt is not read. Organizations take turns.
  select array_agg(chosen.tenant_id), array_agg(chosen.issuer_id), array_agg(chosen.invoice_id), array_agg(chosen.kind)
  into v_tenant_ids, v_issuer_ids, v_invoice_ids, v_kinds
  from (
    select held.tenant_id, held.issuer_id, held.invoice_id, held.kind
    from (
      select issuer.tenant_id, due.invoice_id, due.kind, due.due_at, row_number() over (partition by issuer.tenant_id, issuer.environment order by due.due_at) + (
          select count(*) from invoicing.transmissions as busy
          where busy.tenant_id = issuer.tenant_id and busy.environment = issuer.environment and busy.leased_until >= clock_timestamp()) as turn
      from (select distinct due.tenant_id, due.environment, due.issuer_id from invoicing.transmissions as due where due.due_at <= statement_timestamp()) as issuer
      cross join lateral (
        select count(*) as count from invoicing.transmissions as busy
        where busy.tenant_id = issuer.tenant_id and busy.issuer_id = issuer.issuer_id and busy.leased_until >= clock_timestamp()) as leased
      cross join lateral (
        select due.invoice_id, due.kind, due.due_at from invoicing.transmissions as due
        where due.tenant_id = issuer.tenant_id and due.issuer_id = issuer.issuer_id and due.due_at <= statement_timestamp()
          and (due.leased_until is null or due.leased_until < clock_timestamp())
        order by due.due_at limit greatest(5 - leased.count, 0)) as due
    ) as ranked
    join invoicing.transmissions as held on held.tenant_id = ranked.tenant_id and held.invoice_id = ranked.invoice_id and held.kind = ranked.kind
    where held.due_at <= clock_timestamp() and (held.leased_until is null or held.leased_until < clock_timestamp())
    order by ranked.turn, ranked.due_at limit p_limit for update of held skip locked
  ) as chosen;
  -- One claim at a time leases for an issuer. The next statement sees what the claims before have leased.
  perform from invoicing.issuers as issuer
  where (issuer.tenant_id, issuer.id) in (select chosen.tenant_id, chosen.id from unnest(v_tenant_ids, v_issuer_ids) as chosen (tenant_id, id))
  order by issuer.tenant_id, issuer.id for no key update;
  -- A lease that is lost with the machine is a lease that is over: only what follows it has to last.
  perform set_config('synchronous_commit', 'off', true);
  return query
  with ranked as (
    select due.tenant_id, due.invoice_id, due.kind, row_number() over (partition by due.tenant_id, due.issuer_id order by due.due_at) + (
        select count(*) from invoicing.transmissions as busy
        where busy.tenant_id = due.tenant_id and busy.issuer_id = due.issuer_id and busy.leased_until >= clock_timestamp()) as place
    from unnest(v_tenant_ids, v_invoice_ids, v_kinds) as chosen (tenant_id, invoice_id, kind)
    join invoicing.transmissions as due on due.tenant_id = chosen.tenant_id and due.invoice_id = chosen.invoice_id and due.kind = chosen.kind
  )
  update invoicing.transmissions as leased set lease_id = extensions.gen_random_uuid(), leased_until = clock_timestamp() + interval '120 seconds'
  from ranked
  where ranked.place <= 5 and leased.tenant_id = ranked.tenant_id and leased.invoice_id = ranked.invoice_id and leased.kind = ranked.kind
  returning leased.tenant_id, leased.environment, leased.invoice_id, leased.kind, leased.lease_id;
end
$$;
comment on function jobs.claim_transmissions(integer) is 'Leases due transmissions for 120 seconds, at most five of an issuer at once. Organizations take turns: who has fewer under way comes first.';
revoke execute on function jobs.claim_transmissions(integer) from public;
grant execute on function jobs.claim_transmissions(integer) to selo_worker;
