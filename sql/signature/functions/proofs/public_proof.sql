create or replace function signature.public_proof(p_tenant_id uuid, p_environment text, p_id uuid) returns json
  language plpgsql volatile set search_path = '' as $$
declare
  v_body json;
begin
  perform platform.enter_context(p_tenant_id, p_environment, null, null, null);
  select json_build_object(
      'proof', (select gateway.public_proofs_json(shown) from api.public_proofs as shown where shown.id = proof.id),
      'platform_keys', (
        select json_agg(gateway.platform_keys_json(key) order by key.algorithm)
        from api.platform_keys as key where key.key_id in (proof.platform_key_id, proof.platform_pq_key_id)),
      'signed', proof.evidence,
      'fault', signature.evidence_fault(proof))
    into v_body
  from signature.proofs as proof where proof.tenant_id = p_tenant_id and proof.id = p_id;
  perform platform.enter_context(null, null, null, null, null);
  if v_body is null then
    perform platform.fail(404, 'proof_not_found', 'No proof matches.');
  end if;
  return v_body;
end
$$;
comment on function signature.public_proof(uuid, text, uuid) is
  'A proof for the public, with the signed evidence and the fault of the record for the gateway: {proof, platform_keys, signed, fault}. 404 proof_not_found for an unknown proof.';
revoke execute on function signature.public_proof(uuid, text, uuid) from public;
