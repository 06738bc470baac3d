create function gateway.get_proof(p_id uuid) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_body json;
begin
  perform platform.require_scope('proofs:read');
  select gateway.proofs_json(proof) into v_body from api.proofs as proof where proof.id = p_id;
  if v_body is null then
    perform platform.fail(404, 'not_found', 'There is no such proof.');
  end if;
  return v_body;
end
$$;
comment on function gateway.get_proof(uuid) is 'GET /proofs/{id}: the proof, or 404 not_found.';
revoke execute on function gateway.get_proof(uuid) from public;
