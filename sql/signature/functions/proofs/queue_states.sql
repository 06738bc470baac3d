create or replace function signature.queue_states() returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('unverified_proofs', (select to_jsonb(proofs) from signature.unverified_states() as proofs),
    'unverified_records', (select to_jsonb(records) from signature.unverified_record_states() as records))
$$;
comment on function signature.queue_states() is
  'The number of proofs and of signed records that wait for their second verification, and for how long: {unverified_proofs: {waiting, failed, oldest_seconds}, unverified_records: the same}. See platform.queue_states.';
revoke execute on function signature.queue_states() from public;
