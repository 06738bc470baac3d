--! owner selo_system
-- Looks across tenants: registrations of all organizations are compared with their proofs.
create or replace function signature.audit_check_registrations(p_tenant_id uuid) returns setof platform.audit_fault
  language sql stable security definer set search_path = '' as $$
  with registered as (
    select event.tenant_id, event.environment, event.id, event.subject_id, event.seq from platform.audit_events as event
    where event.action = 'proof.registered' and (p_tenant_id is null or event.tenant_id = p_tenant_id)
  )
  select 'registrations', registered.tenant_id, registered.environment, 'proof', registered.subject_id, registered.seq, registered.id,
    'the proof that was registered is gone'
  from registered
  left join signature.proofs as proof
    on proof.tenant_id = registered.tenant_id and proof.environment = registered.environment and proof.id = registered.subject_id
  where proof.id is null
  union all
  select 'registrations', twice.tenant_id, twice.environment, 'proof', twice.id, 1, null, format('the proof has %s rows', count(*))
  from signature.proofs as twice
  where p_tenant_id is null or twice.tenant_id = p_tenant_id
  group by twice.tenant_id, twice.environment, twice.id having count(*) > 1
  union all
  -- A registration is paid for once, in the live environment. platform.audit_check_credits finds payments for anything else.
  select 'payments', registered.tenant_id, registered.environment, 'proof', registered.subject_id, registered.seq, registered.id,
    'the proof was not paid for'
  from registered
  left join (
    select movement.* from platform.credit_ledger as movement
    join platform.prices as price on price.action = 'proof.registered' and (price.reason, price.kind, -price.amount) = (movement.reason, movement.kind, movement.amount)
  ) as paid on paid.tenant_id = registered.tenant_id and paid.subject_id = registered.subject_id
  where registered.environment = 'live' and paid.id is null
  union all
  select 'payments', paid.tenant_id, 'test', 'proof', registered.subject_id, registered.seq, registered.id, 'the proof of the test environment was paid for'
  from registered
  join platform.credit_ledger as paid on paid.tenant_id = registered.tenant_id and paid.subject_id = registered.subject_id
  where registered.environment = 'test'
  union all
  -- An envelope is paid for as its event says.
  select 'payments', sent.tenant_id, sent.environment, 'envelope', sent.subject_id, sent.seq, sent.id, 'the envelope was not paid for as its event says'
  from (
    select event.tenant_id, event.environment, event.id, event.subject_id, event.seq, price.reason, price.kind,
      case event.environment when 'live' then price.amount * (said.details ->> (price.kind || '_credits'))::bigint else 0 end as amount
    from platform.audit_events as event
    cross join lateral (select platform.read_json(event.details) as details offset 0) as said
    join platform.prices as price on price.action = event.action
    where event.action = 'envelope.sent' and (p_tenant_id is null or event.tenant_id = p_tenant_id)
  ) as sent
  where sent.amount is distinct from coalesce((
    select -sum(movement.amount) from platform.credit_ledger as movement
    where movement.tenant_id = sent.tenant_id and movement.subject_id = sent.subject_id and movement.reason = sent.reason and movement.kind = sent.kind), 0)
  union all
  -- A code leads to one proof or envelope, and that has the code.
  select 'codes', known.tenant_id, known.environment, coalesce(known.subject_type, 'proof'), known.subject_id, 1, null,
    format('a verification code leads to no %s with this code', coalesce(known.subject_type, 'proof'))
  from platform.public_codes as known
  left join signature.proofs as proof on proof.tenant_id = known.tenant_id and proof.environment = known.environment and proof.id = known.subject_id
    and proof.verification_code = known.code and known.subject_type = 'proof'
  left join signature.envelopes as envelope on envelope.tenant_id = known.tenant_id and envelope.environment = known.environment
    and envelope.id = known.subject_id and envelope.verification_code = known.code and known.subject_type = 'envelope'
  where proof.id is null and envelope.id is null and (p_tenant_id is null or known.tenant_id = p_tenant_id)
  union all
  select 'codes', envelope.tenant_id, envelope.environment, 'envelope', envelope.id, 1, null, 'the verification code of the envelope does not lead to the envelope'
  from signature.envelopes as envelope
  left join platform.public_codes as known on known.code = envelope.verification_code and known.tenant_id = envelope.tenant_id
    and known.environment = envelope.environment and known.subject_type = 'envelope' and known.subject_id = envelope.id
  where envelope.verification_code is not null and known.code is null and (p_tenant_id is null or envelope.tenant_id = p_tenant_id)
  union all
  select 'codes', known.tenant_id, known.environment, coalesce(known.subject_type, 'proof'), known.subject_id, 1, null,
    format('the verification code of the %s is registered more than once', coalesce(known.subject_type, 'proof'))
  from platform.public_codes as known
  where known.code in (select twice.code from platform.public_codes as twice group by twice.code having count(*) > 1)
    and (p_tenant_id is null or known.tenant_id = p_tenant_id)
  union all
  select 'registrations', coalesce(old.tenant_id, recorded.tenant_id), coalesce(old.environment, recorded.environment), 'organization',
    coalesce(old.tenant_id, recorded.tenant_id), coalesce(recorded.seq, 1), recorded.id, 'the proofs from before the audit trail differ from the recorded digest'
  from signature.old_proof_digests(p_tenant_id) as old
  full join (
    select event.tenant_id, event.environment, event.id, event.seq, platform.read_json(event.details) as said from platform.audit_events as event
    where event.action = 'proofs.recorded' and (p_tenant_id is null or event.tenant_id = p_tenant_id)
  ) as recorded on recorded.tenant_id = old.tenant_id and recorded.environment = old.environment
  where (old.proofs::text, old.digest) is distinct from (recorded.said ->> 'proofs', recorded.said ->> 'proofs_sha256')
$$;
comment on function signature.audit_check_registrations(uuid) is
  'Finds registrations whose proof is gone, that were not paid for exactly once, or whose verification code leads to another subject. Finds the same of the payments and codes of envelopes. Also finds differences between the proofs from before the audit trail and their recorded digest.';
revoke execute on function signature.audit_check_registrations(uuid) from public;
grant execute on function signature.audit_check_registrations(uuid) to selo_owner;
