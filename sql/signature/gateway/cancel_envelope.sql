create function gateway.cancel_envelope(p_id uuid, p_reason text default null) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  c_reason constant text := nullif(p_reason, '');
begin
  perform platform.require_scope('envelopes:cancel');
  perform signature.require_out(p_id);
  perform signature.refuse_wrong_texts('{}', jsonb_build_object('reason', c_reason));
  update signature.envelopes as envelope set cancel_reason = c_reason where envelope.tenant_id = platform.tenant_id() and envelope.id = p_id;
  perform signature.end_envelope(p_id, 'cancel', '{}', jsonb_strip_nulls(jsonb_build_object('reason', c_reason)));
  return (select json_build_object('envelope', gateway.envelopes_whole_json(answer), 'environment', platform.environment()) from api.envelopes as answer where answer.id = p_id);
end
$$;
comment on function gateway.cancel_envelope(uuid, text) is
  E'@param id Id of the envelope.\n@param reason {..1000} Why the envelope is cancelled, shown to its participants.\nPOST /envelopes/{id}/cancel: cancels an envelope that is out with its participants, tells those who were invited, and answers {envelope, environment}. The gateway keeps the environment to itself. 409 conflict for a draft, and once every required participant has finished or the envelope has ended.';
revoke execute on function gateway.cancel_envelope(uuid, text) from public;
