-- plpgsql, because the view and its wire form are made later than this function.
create or replace function signature.participant_shown(p_participant signature.participants) returns json
  language plpgsql stable security definer set search_path = '' as $$
begin
  return gateway.envelope_participants_json(jsonb_populate_record(null::api.envelope_participants, to_jsonb(p_participant) || jsonb_build_object(
    'cpf', p_participant.cpf_mask, 'ssn_last4', p_participant.ssn_last4_mask, 'phone', p_participant.phone_mask)));
end
$$;
comment on function signature.participant_shown(signature.participants) is
  'A participant as the evidence of an envelope shows one, with masked numbers, for those who may read signed records and not envelopes.';
revoke execute on function signature.participant_shown(signature.participants) from public;
-- A view runs its functions with the rights of the reader.
grant execute on function signature.participant_shown(signature.participants) to selo_app, selo_analyst;
