create or replace function signature.is_completable(p_envelope signature.envelopes) returns boolean
  language sql immutable set search_path = '' as $$
  -- Only a completion fails an envelope, and it may be tried again.
  select p_envelope.status = 'failed' or p_envelope.status in ('sent', 'in_progress', 'partially_signed') and p_envelope.sealing_since is not null
$$;
comment on function signature.is_completable(signature.envelopes) is 'Whether an envelope waits for its completion: every participant who must act has finished.';
revoke execute on function signature.is_completable(signature.envelopes) from public;
