create or replace function signature.proof_body(p_proof_id uuid, p_created boolean) returns json
  language plpgsql volatile set search_path = '' as $$
declare
  v_body json;
begin
  perform set_config('app.created_proof_id', case when p_created then p_proof_id::text else '' end, true);
  select gateway.proofs_json(proof) into v_body from api.proofs as proof where proof.id = p_proof_id;
  perform set_config('app.created_proof_id', '', true);
  return v_body;
end
$$;
comment on function signature.proof_body(uuid, boolean) is 'A proof of the context''s tenant as REST answers it. Null for an unknown proof.';
revoke execute on function signature.proof_body(uuid, boolean) from public;
