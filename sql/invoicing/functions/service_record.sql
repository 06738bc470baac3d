create or replace function invoicing.service_record(p_service invoicing.services) returns text
  language sql stable set search_path = '' as $$
  select platform.record_digest(p_service.record_salt, jsonb_build_object(
    'name', p_service.name, 'description', p_service.description, 'national_code', p_service.national_code, 'municipal_code', p_service.municipal_code,
    'nbs_code', p_service.nbs_code, 'iss_rate', p_service.iss_rate::text, 'iss_withheld', p_service.iss_withheld, 'iss_taxation', p_service.iss_taxation,
    'pis_cofins_cst', p_service.pis_cofins_cst, 'approximate_taxes', p_service.approximate_taxes, 'ibs_cbs', p_service.ibs_cbs,
    'archived_at', platform.instant(p_service.archived_at), 'created_at', platform.instant(p_service.created_at)))
$$;
comment on function invoicing.service_record(invoicing.services) is 'The salted digest of a service, as the audit trail holds it.';
revoke execute on function invoicing.service_record(invoicing.services) from public;
grant execute on function invoicing.service_record(invoicing.services) to selo_system;
