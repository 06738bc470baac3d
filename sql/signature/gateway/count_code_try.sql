create function gateway.count_code_try(p_participant_id uuid) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_link record;
  v_code signature.signing_codes;
begin
  perform platform.require_scope('signing:act');
  select entered.envelope, entered.participant into v_link from signature.enter_link(p_participant_id) as entered;
  perform signature.refuse_out_of_turn(v_link.envelope, v_link.participant, true);
  perform signature.refuse_locked_link(v_link.participant);
  update signature.signing_codes as code set tries = code.tries + 1
  where code.tenant_id = platform.tenant_id() and code.participant_id = p_participant_id and code.enciphered_code is not null and code.code_digest is not null
    and code.link_version = (v_link.participant).link_version and code.tries < 5 and code.expires_at > clock_timestamp()
  returning code.* into v_code;
  if not found then
    return null;
  end if;
  return json_build_object('code_id', v_code.id, 'tries_left', 5 - v_code.tries);
end
$$;
comment on function gateway.count_code_try(uuid) is
  'Second step of POST /signing/{participant_id}/session, in a separate transaction: counts a try of the participant''s code before the codes are compared, and answers {code_id, tries_left}. Null without a code that can be tried: a code can be tried once its mail was composed. The lock of the participant counts tries one after the other, so at most five are compared.';
revoke execute on function gateway.count_code_try(uuid) from public;
