create or replace function signature.fail_envelope(p_id uuid, p_reason text, p_attempts integer) returns void
  language plpgsql volatile set search_path = '' as $$
begin
  update signature.envelopes as envelope set failure_reason = p_reason where envelope.tenant_id = platform.tenant_id() and envelope.id = p_id;
  -- Only `selo jobs retry` tries again.
  perform platform.use_up_job('signature__complete_envelope:' || p_id);
  perform signature.end_envelope(p_id, 'fail', jsonb_build_object('attempts', p_attempts, 'failure_reason', p_reason));
  perform platform.give_back_credits(p_id, 'envelope_failed');
end
$$;
comment on function signature.fail_envelope(uuid, text, integer) is
  'Fails an envelope that the caller has locked, after so many attempts to complete it, with the reason unsealable or completion_failed. Gives its credits back: completing it later takes none.';
revoke execute on function signature.fail_envelope(uuid, text, integer) from public;
