create or replace function signature.is_created_now(p_proof_id uuid) returns boolean
  language sql stable set search_path = '' as $$
  select p_proof_id::text = coalesce(current_setting('app.created_proof_id', true), '')
$$;
comment on function signature.is_created_now(uuid) is 'True in the answer of the call that created the proof. False on reads.';
revoke execute on function signature.is_created_now(uuid) from public;
