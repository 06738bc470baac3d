create or replace function signature.queue_states() returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('unverified_proofs', (select to_jsonb(proofs) from signature.unverified_states() as proofs))
$$;
comment on function signature.queue_states() is
  'The number of proofs that wait for their second verification, and for how long: {unverified_proofs: {waiting, failed, oldest_seconds}}. See platform.queue_states.';
revoke execute on function signature.queue_states() from public;
