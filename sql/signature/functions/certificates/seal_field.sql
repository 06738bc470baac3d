create or replace function signature.seal_field(p_envelope signature.envelopes) returns text
  language sql immutable set search_path = '' as $$
  select p_envelope.verification_code || ' Selo'
$$;
comment on function signature.seal_field(signature.envelopes) is 'The signature field of the platform''s seal in a PDF that participants signed with certificates.';
revoke execute on function signature.seal_field(signature.envelopes) from public;
