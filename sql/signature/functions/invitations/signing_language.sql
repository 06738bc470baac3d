create or replace function signature.signing_language(p_envelope signature.envelopes) returns text
  language sql stable set search_path = '' as $$
  select case when coalesce(p_envelope.language, organization.language) ~* '^pt(-|$)' then 'pt-BR' else 'en' end
  from platform.organizations as organization where organization.id = p_envelope.tenant_id
$$;
comment on function signature.signing_language(signature.envelopes) is
  'The language in which participants read: that of the envelope, else that of the organization. The nearest of pt-BR and en.';
revoke execute on function signature.signing_language(signature.envelopes) from public;
