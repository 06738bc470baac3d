-- A column without a filter is an expression, as in api.proofs.
create view api.invoice_services as
select
  service.id,
  service.name || '' as name,
  service.description || '' as description,
  service.national_code || '' as national_code,
  service.municipal_code || '' as municipal_code,
  service.nbs_code || '' as nbs_code,
  (service.iss_rate + 0)::numeric(5,2) as iss_rate,
  service.iss_withheld is true as iss_withheld,
  service.iss_taxation + 0 as iss_taxation,
  service.pis_cofins_cst || '' as pis_cofins_cst,
  case when service.approximate_taxes ? 'simples' then json_build_object('simples', service.approximate_taxes -> 'simples')
    when service.approximate_taxes is not null then json_build_object('federal', service.approximate_taxes -> 'federal',
      'state', service.approximate_taxes -> 'state', 'municipal', service.approximate_taxes -> 'municipal') end as approximate_taxes,
  case when service.ibs_cbs is not null then json_build_object('operation_indicator', service.ibs_cbs -> 'operation_indicator',
    'cst', service.ibs_cbs -> 'cst', 'classification', service.ibs_cbs -> 'classification') end as ibs_cbs,
  greatest(service.archived_at) as archived_at,
  service.created_at
from invoicing.services as service
where (select platform.may_read('invoices:read'));
comment on view api.invoice_services is E'@primaryKey id\n@rowName service\n@get invoice_service invoices:read\n@list invoice_services invoices:read created_at\n@searches name, description, national_code\n@defaultOrder ID_DESC\nServices that are invoiced, with what taxes them.';
comment on column api.invoice_services.id is E'@notNull\n@behavior +orderBy\nId of the service. Ids are time-ordered.';
comment on column api.invoice_services.name is E'@notNull\nName within the organization.';
comment on column api.invoice_services.description is E'@notNull\nWhat invoices say of the service unless they say otherwise.';
comment on column api.invoice_services.national_code is E'@notNull\nNational service code (cTribNac): six digits.';
comment on column api.invoice_services.municipal_code is 'Service code of the municipality (cTribMun): three digits. Null without one.';
comment on column api.invoice_services.nbs_code is 'Code of the Brazilian nomenclature of services (cNBS): nine digits. Null without one.';
comment on column api.invoice_services.iss_rate is E'@notNull\nRate of ISS in per cent, with two decimals.';
comment on column api.invoice_services.iss_withheld is E'@notNull\nWhether the customer withholds ISS.';
comment on column api.invoice_services.iss_taxation is E'@notNull\nTaxation of ISS (tribISSQN): 1 taxed, 2 immune, 3 export, 4 not due.';
comment on column api.invoice_services.pis_cofins_cst is 'Tax situation of PIS and COFINS (CST): two digits. Null without one.';
comment on column api.invoice_services.approximate_taxes is E'@format approximateTaxes\nApproximate taxes in per cent. Null if not stated.';
comment on column api.invoice_services.ibs_cbs is E'@format ibsCbs\nIBS and CBS. Null if not stated.';
comment on column api.invoice_services.archived_at is 'Since when the service takes no new invoice (UTC). Null for one in use.';
comment on column api.invoice_services.created_at is E'@notNull\n@behavior +filterBy\nWhen the service was added (UTC).';
grant select on api.invoice_services to selo_app, selo_analyst;
