create or replace function signature.refuse_out_of_turn(
  p_envelope signature.envelopes, p_participant signature.participants, p_is_reading boolean default false
)
  returns void
  language plpgsql stable set search_path = '' as $$
begin
  if p_is_reading and signature.gives_copies(p_envelope) then
    return;
  end if;
  case signature.turn_of(p_envelope, p_participant)
    when 'not_yet' then
      perform platform.fail(409, 'not_your_turn', 'Other participants act first. A mail says when it is your turn.');
    when 'done' then
      perform platform.fail(409, 'conflict', format('You have already %s.', case p_participant.status when 'declined' then 'declined' else 'finished' end));
    when 'over' then
      perform platform.fail(409, 'conflict', format('The envelope is %s.',
        case when p_envelope.status in ('sent', 'in_progress', 'partially_signed') then 'expired' else p_envelope.status end));
    else null;
  end case;
end
$$;
comment on function signature.refuse_out_of_turn(signature.envelopes, signature.participants, boolean) is
  'Refuses a participant who may not act now: 409 not_your_turn while others act first, 409 conflict once the participant has finished or the envelope has ended. p_is_reading: in a completed envelope all participants pass for 90 days.';
revoke execute on function signature.refuse_out_of_turn(signature.envelopes, signature.participants, boolean) from public;
