create or replace function signature.given_completion(
  p_session_sha256 text, p_consent_version text, p_signature jsonb, p_values jsonb, p_cpf_mask text, p_signatures jsonb default null, p_signed jsonb default null
)
  returns jsonb language sql immutable set search_path = '' as $$
  -- An aggregate would copy large values many times.
  select '{}'::jsonb
    || case when p_session_sha256 is null then '{}' else jsonb_build_object('session_sha256', p_session_sha256) end
    || case when p_consent_version is null then '{}' else jsonb_build_object('consent_version', p_consent_version) end
    || case when p_signature is null then '{}' else jsonb_build_object('signature', p_signature) end
    || case when p_values is null then '{}' else jsonb_build_object('values', p_values) end
    || case when p_cpf_mask is null then '{}' else jsonb_build_object('cpf_mask', p_cpf_mask) end
    || case when p_signatures is null then '{}' else jsonb_build_object('signatures', p_signatures) end
    || case when p_signed is null then '{}' else jsonb_build_object('signed', p_signed) end
$$;
comment on function signature.given_completion(text, text, jsonb, jsonb, text, jsonb, jsonb) is
  'What a participant gives for a completion, as signature.signature_draft takes it. A member that was not given is absent.';
revoke execute on function signature.given_completion(text, text, jsonb, jsonb, text, jsonb, jsonb) from public;
