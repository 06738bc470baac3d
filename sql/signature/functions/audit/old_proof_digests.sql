--! owner selo_system
-- Looks across tenants: a verification asks for all organizations at once.
create or replace function signature.old_proof_digests(p_tenant_id uuid)
  returns table (tenant_id uuid, environment text, proofs bigint, digest text)
  language sql stable security definer set search_path = '' as $$
  select proof.tenant_id, proof.environment, count(*), encode(sha256(string_agg(
    uuid_send(proof.id) || sha256(convert_to(proof.evidence, 'UTF8')), ''::bytea order by proof.id)), 'hex')
  from signature.proofs as proof
  where proof.registered_at <= (select setting.value::timestamptz from platform.settings as setting where setting.name = 'audit_began_at')
    and (p_tenant_id is null or proof.tenant_id = p_tenant_id)
    and not exists (
      select from platform.audit_events as event
      where event.tenant_id = proof.tenant_id and event.environment = proof.environment and event.subject_id = proof.id
        and event.seq = 1 and event.action = 'proof.registered')
  group by proof.tenant_id, proof.environment
$$;
comment on function signature.old_proof_digests(uuid) is
  'Proofs from before the audit trail, which have no event of their own: their number and a digest over all of them, for each organization and environment.';
revoke execute on function signature.old_proof_digests(uuid) from public;
grant execute on function signature.old_proof_digests(uuid) to selo_owner;
