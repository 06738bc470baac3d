create function jobs.read_signing_code(p_arguments jsonb) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('enciphered_code', replace(encode(code.enciphered_code, 'base64'), E'\n', ''), 'title', envelope.title, 'participant_id', participant.id,
    'enciphered_phone', replace(encode(participant.enciphered_phone, 'base64'), E'\n', ''),
    'expires_at', platform.instant(code.expires_at))
  from signature.signing_codes as code
  join signature.participants as participant on participant.tenant_id = code.tenant_id and participant.id = code.participant_id
  join signature.envelopes as envelope on envelope.tenant_id = code.tenant_id and envelope.id = code.envelope_id
  where code.tenant_id = platform.tenant_id() and code.environment = platform.environment() and code.id = (p_arguments ->> 'code_id')::uuid
    and code.enciphered_code is not null and code.expires_at > clock_timestamp() and code.link_version = participant.link_version
$$;
comment on function jobs.read_signing_code(jsonb) is
  'What the mail or the SMS of a one-time code, {code_id}, says, and where the SMS goes: {enciphered_code (base64), title, participant_id, enciphered_phone (base64, null without a number), expires_at}. Null for a code that was used, used up or replaced, is late, or belongs to an earlier link.';
revoke execute on function jobs.read_signing_code(jsonb) from public;
