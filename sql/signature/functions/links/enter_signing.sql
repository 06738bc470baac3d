create or replace function signature.enter_signing(p_participant_id uuid, p_session_sha256 text) returns signature.participants
  language plpgsql volatile set search_path = '' as $$
declare
  v_link record;
begin
  select entered.envelope, entered.participant into v_link from signature.enter_link(p_participant_id) as entered;
  perform signature.refuse_without_session(v_link.envelope, v_link.participant, p_session_sha256);
  return v_link.participant;
end
$$;
comment on function signature.enter_signing(uuid, text) is
  'The beginning of each act of a participant in a session, given as the SHA-256 (hexadecimal) of its token: locks the envelope and then the participant, and answers the participant. A participant who has finished or declined is answered as well, because a repeated act has the same answer. 404 not_found for another participant than that of the link, 401 session_expired, 403 factor_required, 409 not_your_turn, 409 conflict once the envelope has ended.';
revoke execute on function signature.enter_signing(uuid, text) from public;
