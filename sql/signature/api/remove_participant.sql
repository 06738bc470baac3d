create function api.remove_participant(p_id uuid, p_participant_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform platform.require_scope('envelopes:write');
  perform signature.require_draft(p_id);
  perform signature.require_participant(p_id, p_participant_id);
  delete from signature.participants as participant where participant.tenant_id = platform.tenant_id() and participant.id = p_participant_id;
  perform platform.record_audit_event('envelope.participant_removed', 'envelope', p_id, jsonb_build_object('participant_id', p_participant_id) || signature.settle_draft(p_id));
end
$$;
comment on function api.remove_participant(uuid, uuid) is
  E'@param id Id of the envelope.\n@param participant_id Id of the participant.\nTakes a participant out of a draft, with the fields of the participant. Returns 409 conflict once the envelope has been sent.';
revoke execute on function api.remove_participant(uuid, uuid) from public;
