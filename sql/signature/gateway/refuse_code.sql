create function gateway.refuse_code(p_participant_id uuid, p_code_id uuid, p_code_digest text) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_link record;
  v_code signature.signing_codes;
begin
  perform platform.require_scope('signing:act');
  select entered.envelope, entered.participant into v_link from signature.enter_link(p_participant_id) as entered;
  -- The last try uses the code up.
  update signature.signing_codes as code set enciphered_code = case when code.tries < 5 then code.enciphered_code end
  where code.tenant_id = platform.tenant_id() and code.participant_id = p_participant_id and code.id = p_code_id and code.code_digest <> decode(p_code_digest, 'hex')
  returning code.* into v_code;
  if not found then
    return null;
  end if;
  perform platform.record_audit_event('envelope.code_refused', 'envelope', (v_link.envelope).id,
    jsonb_build_object('participant_id', p_participant_id, 'code_id', p_code_id, 'tries_left', 5 - v_code.tries));
  if v_code.link_version = (v_link.participant).link_version and not (v_link.participant).locked and signature.is_used_up(v_link.participant) then
    perform signature.lock_link(v_link.participant);
  end if;
  return json_build_object('tries_left', 5 - v_code.tries, 'environment', v_code.environment);
end
$$;
comment on function gateway.refuse_code(uuid, uuid, text) is
  'Last step of POST /signing/{participant_id}/session for a wrong code: records the try, erases a code that five tries have used up, and locks the link that wrong tries have used up. Answers {tries_left, environment}. Null, and nothing is recorded, for the right digest: the code was used or replaced meanwhile.';
revoke execute on function gateway.refuse_code(uuid, uuid, text) from public;
