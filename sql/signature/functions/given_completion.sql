create or replace function signature.given_completion(
  p_session_sha256 text, p_consent_version text, p_signature jsonb, p_values jsonb, p_cpf_mask text
)
  returns jsonb language sql immutable set search_path = '' as $$
  select coalesce(jsonb_object_agg(given.name, given.value), '{}')
  from (values ('session_sha256', to_jsonb(p_session_sha256)), ('consent_version', to_jsonb(p_consent_version)), ('signature', p_signature),
    ('values', p_values), ('cpf_mask', to_jsonb(p_cpf_mask))) as given (name, value)
  where given.value is not null
$$;
comment on function signature.given_completion(text, text, jsonb, jsonb, text) is
  'What a participant gives for a completion, as signature.signature_draft takes it. A member that was not given is absent.';
revoke execute on function signature.given_completion(text, text, jsonb, jsonb, text) from public;
