create or replace function signature.is_completable(p_envelope signature.envelopes) returns boolean
  language sql stable set search_path = '' as $$
  -- Only a completion fails an envelope, and it may be tried again.
  select p_envelope.status = 'failed'
      -- What is erased is not drawn on a document, nor signed over.
      and not exists (
        select from signature.participants as participant
        where participant.tenant_id = p_envelope.tenant_id and participant.envelope_id = p_envelope.id and participant.erased_at is not null)
    or p_envelope.status in ('sent', 'in_progress', 'partially_signed') and p_envelope.sealing_since is not null
$$;
comment on function signature.is_completable(signature.envelopes) is 'Whether an envelope waits for its completion: every participant who must act has finished, and nobody was erased.';
revoke execute on function signature.is_completable(signature.envelopes) from public;
