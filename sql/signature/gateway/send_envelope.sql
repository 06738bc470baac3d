create function gateway.send_envelope(p_id uuid) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_envelope signature.envelopes;
  v_spent jsonb;
begin
  perform platform.require_scope('envelopes:send');
  v_envelope := signature.require_draft(p_id);
  perform signature.refuse_unsendable(v_envelope);
  v_spent := signature.send_drafts(array[p_id]);
  return (select json_build_object('envelope', gateway.envelopes_whole_json(answer), 'spent', v_spent, 'environment', v_envelope.environment) from api.envelopes as answer where answer.id = p_id);
end
$$;
comment on function gateway.send_envelope(uuid) is
  E'@param id Id of the envelope.\nPOST /envelopes/{id}/send: sends a draft to its participants, takes the credits, and answers {envelope, spent, environment}: the envelope, the credits of each kind that were taken, and the environment. The gateway keeps the last two to itself. 422 envelope_not_sendable or auth_method_unavailable names what is missing. 402 insufficient_credits or insufficient_icp_credits: nothing was sent. 409 conflict once the envelope was sent.';
revoke execute on function gateway.send_envelope(uuid) from public;
