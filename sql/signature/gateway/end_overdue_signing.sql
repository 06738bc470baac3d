create function gateway.end_overdue_signing(p_participant_id uuid) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_participant signature.participants;
begin
  perform platform.require_scope('signing:act');
  v_participant := signature.participant_of_link(p_participant_id);
  return to_json(case when signature.end_overdue(v_participant.envelope_id) then v_participant.environment end);
end
$$;
comment on function gateway.end_overdue_signing(uuid) is
  'As gateway.end_overdue_envelope, after an act of the participant of a link.';
revoke execute on function gateway.end_overdue_signing(uuid) from public;
