create or replace function signature.consent_of(
  p_envelope signature.envelopes, out version text, out language text, out body text, out sha256 text
)
  language sql stable set search_path = '' as $$
  select consent.version, consent.language, consent.body, encode(sha256(convert_to(consent.body, 'UTF8')), 'hex')
  from signature.consents as consent
  where consent.jurisdiction = p_envelope.jurisdiction and consent.language = signature.signing_language(p_envelope) and consent.is_current
$$;
comment on function signature.consent_of(signature.envelopes) is
  'What participants of an envelope agree to before they act: the current text of the jurisdiction in their language, and the SHA-256 (hexadecimal) of its UTF-8 bytes.';
revoke execute on function signature.consent_of(signature.envelopes) from public;
