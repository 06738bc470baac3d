create or replace function signature.turn_of(p_envelope signature.envelopes, p_participant signature.participants) returns text
  language sql stable set search_path = '' as $$
  select case
    when p_participant.status in ('completed', 'declined') then 'done'
    -- The move to expired may come up to a minute later.
    when p_envelope.status not in ('sent', 'in_progress', 'partially_signed') or p_envelope.expires_at <= clock_timestamp() then 'over'
    when exists (select from signature.due_participants(p_envelope) as due where due = p_participant.id) then 'yes'
    else 'not_yet'
  end
$$;
comment on function signature.turn_of(signature.envelopes, signature.participants) is
  'Whether a participant may act now: yes, not_yet (others act first), done (the participant has finished or declined) or over (the envelope has ended, or its deadline has passed).';
revoke execute on function signature.turn_of(signature.envelopes, signature.participants) from public;
