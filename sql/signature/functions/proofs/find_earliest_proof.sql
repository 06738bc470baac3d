--! owner selo_system
-- Looks across tenants: any organization may have registered the digest, and the earliest registration counts.
create or replace function signature.find_earliest_proof(p_sha256 text, out tenant_id uuid, out proof_id uuid)
  language sql stable security definer set search_path = '' as $$
  select proof.tenant_id, proof.id
  from signature.proofs as proof
  where proof.sha256 = decode(p_sha256, 'hex') and proof.environment = 'live'
  order by proof.registered_at, proof.id
  limit 1
$$;
comment on function signature.find_earliest_proof(text) is 'The earliest live proof of a digest, among all organizations. Null for a digest without a live proof. Test proofs are found by code only.';
revoke execute on function signature.find_earliest_proof(text) from public;
grant execute on function signature.find_earliest_proof(text) to selo_owner;
