create function gateway.open_signing_session(p_participant_id uuid, p_code_id uuid, p_code_digest text, p_token_sha256 text) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_link record;
  v_expires_at constant timestamptz := clock_timestamp() + interval '60 minutes';
begin
  perform platform.require_scope('signing:act');
  select entered.envelope, entered.participant into v_link from signature.enter_link(p_participant_id) as entered;
  perform signature.refuse_out_of_turn(v_link.envelope, v_link.participant, true);
  perform signature.refuse_locked_link(v_link.participant, false);
  -- The digest is compared here, and the gateway cannot read it: its login alone opens no session without the right code.
  -- The code is still the same and unused: of two requests with the right code one opens a session.
  update signature.signing_codes as code set enciphered_code = null, used_at = clock_timestamp()
  where code.tenant_id = platform.tenant_id() and code.participant_id = p_participant_id and code.id = p_code_id and code.enciphered_code is not null
    and code.code_digest = decode(p_code_digest, 'hex')
    and code.link_version = (v_link.participant).link_version and code.expires_at > clock_timestamp();
  if not found then
    perform platform.fail(422, 'wrong_code', 'The code is wrong, or has been used or replaced. Ask for a new code.',
      '[{"field": "code", "message": "is wrong, or has been used or replaced"}]');
  end if;
  insert into signature.signing_sessions (tenant_id, environment, envelope_id, participant_id, link_version, digest, code_id, expires_at)
  values (platform.tenant_id(), platform.environment(), (v_link.envelope).id, p_participant_id, (v_link.participant).link_version,
    decode(p_token_sha256, 'hex'), p_code_id, v_expires_at);
  perform platform.record_audit_event('envelope.participant_authenticated', 'envelope', (v_link.envelope).id,
    jsonb_build_object('participant_id', p_participant_id, 'code_id', p_code_id, 'method', 'otp_email'));
  return json_build_object('expires_at', platform.wire_instant(v_expires_at), 'next', null, 'code_id', p_code_id);
end
$$;
comment on function gateway.open_signing_session(uuid, uuid, text, text) is
  'Last step of POST /signing/{participant_id}/session for the code with this digest (hexadecimal): uses the code and opens a session of 60 minutes, whose token has this SHA-256 (hexadecimal). Answers {expires_at, next, code_id}, of which a repeated request makes the token again. 422 wrong_code for another digest, and for a code that was used or replaced meanwhile.';
revoke execute on function gateway.open_signing_session(uuid, uuid, text, text) from public;
