create or replace function invoicing.issuer_record(p_issuer invoicing.issuers) returns text
  language sql stable set search_path = '' as $$
  select platform.record_digest(p_issuer.record_salt, jsonb_build_object(
    'cnpj', p_issuer.cnpj, 'name', p_issuer.name, 'municipal_registration', p_issuer.municipal_registration, 'city_code', p_issuer.city_code,
    'simples', p_issuer.simples, 'simples_regime', p_issuer.simples_regime, 'special_regime', p_issuer.special_regime, 'series', p_issuer.series,
    'municipal_code_required', p_issuer.municipal_code_required, 'is_default', p_issuer.is_default,
    'certificate', p_issuer.certificate, 'certificate_chain', to_jsonb(p_issuer.certificate_chain),
    'archived_at', platform.instant(p_issuer.archived_at), 'created_at', platform.instant(p_issuer.created_at)))
$$;
comment on function invoicing.issuer_record(invoicing.issuers) is 'The salted digest of an issuer, as the audit trail holds it.';
revoke execute on function invoicing.issuer_record(invoicing.issuers) from public;
grant execute on function invoicing.issuer_record(invoicing.issuers) to selo_system;
