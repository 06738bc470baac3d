create function gateway.confirm_proof(p_sha256 text) returns platform.answer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_answer platform.answer;
begin
  perform platform.require_scope('proofs:write');
  select 200, signature.proof_body(proof.id, false), proof.id into strict v_answer.status, v_answer.body, v_answer.subject_id
  from signature.proofs as proof
  where proof.tenant_id = platform.tenant_id() and proof.environment = platform.environment()
    and proof.sha256 = decode(p_sha256, 'hex');
  return v_answer;
end
$$;
comment on function gateway.confirm_proof(text) is
  'Second half of POST /proofs for a digest that was registered before: nothing is written but the answer under its Idempotency-Key.';
revoke execute on function gateway.confirm_proof(text) from public;
