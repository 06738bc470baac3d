create function gateway.send_signing_code(p_participant_id uuid, p_code_id uuid, p_enciphered_code text) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_link record;
  v_sends record;
  v_sms record;
  v_channel text;
  v_expires_at constant timestamptz := clock_timestamp() + interval '10 minutes';
begin
  perform platform.require_scope('signing:act');
  select entered.envelope, entered.participant into v_link from signature.enter_link(p_participant_id) as entered;
  perform signature.refuse_out_of_turn(v_link.envelope, v_link.participant, true);
  perform signature.refuse_locked_link(v_link.participant);
  if signature.signs_with_certificate(v_link.participant) then
    perform platform.fail(409, 'conflict', 'You sign with a certificate, and need no code.');
  end if;
  v_sends := signature.sends_of_codes(v_link.participant);
  if v_sends.sent >= 5 then
    perform platform.fail(429, 'rate_limited', 'Five codes were sent within an hour. Retry-After says when the next one can be sent.');
  end if;
  v_sms := signature.wait_for_sms(v_link.participant);
  if v_sms.sent >= 20 then
    perform platform.fail(429, 'rate_limited', 'Twenty SMS to you, or two hundred of this request, were sent within a day. Retry-After says when the next one can be sent.');
  end if;
  v_channel := signature.code_channel(v_link.participant);
  update signature.signing_codes as code set enciphered_code = null
  where code.tenant_id = platform.tenant_id() and code.participant_id = p_participant_id and code.enciphered_code is not null;
  insert into signature.signing_codes (tenant_id, id, environment, envelope_id, participant_id, link_version, enciphered_code, expires_at)
  values (platform.tenant_id(), p_code_id, platform.environment(), (v_link.envelope).id, p_participant_id, (v_link.participant).link_version,
    decode(p_enciphered_code, 'base64'), v_expires_at);
  perform platform.send_mail('signing_code', case v_channel when 'sms' then (v_link.participant).phone_mask else (v_link.participant).email end,
    signature.signing_language(v_link.envelope), jsonb_build_object('channel', v_channel, 'envelope_id', (v_link.envelope).id, 'participant_id', p_participant_id, 'code_id', p_code_id,
      'at', platform.wire_instant(clock_timestamp())));
  perform platform.record_audit_event('envelope.code_sent', 'envelope', (v_link.envelope).id,
    jsonb_build_object('participant_id', p_participant_id, 'code_id', p_code_id, 'link_version', (v_link.participant).link_version));
  return json_build_object('sent_to', signature.codes_go_to(v_link.participant), 'expires_at', platform.wire_instant(v_expires_at),
    'tries_left', 5, 'sends_left', least(4 - v_sends.sent, 19 - v_sms.sent), 'environment', (v_link.participant).environment);
end
$$;
comment on function gateway.send_signing_code(uuid, uuid, text) is
  E'@param participant_id Id of the participant.\nPOST /signing/{participant_id}/code, for an encrypted code (base64): replaces the code before it and sends the code, by SMS with auth_method otp_sms and by mail otherwise. The gateway keeps the environment of the answer to itself. 404 not_found for another participant than that of the link, 409 not_your_turn, 409 conflict for a participant who signs with a certificate, once the participant has finished, and once the envelope has ended, 403 link_locked, 429 rate_limited after five codes within an hour, and after twenty by SMS, or 200 for the envelope, within a day.';
revoke execute on function gateway.send_signing_code(uuid, uuid, text) from public;
