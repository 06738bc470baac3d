-- A column without a filter is an expression, as in api.proofs.
create view api.invoice_issuers as
select
  issuer.id,
  issuer.cnpj || '' as cnpj,
  issuer.name || '' as name,
  issuer.municipal_registration || '' as municipal_registration,
  issuer.city_code || '' as city_code,
  issuer.simples + 0 as simples,
  issuer.simples_regime + 0 as simples_regime,
  issuer.special_regime + 0 as special_regime,
  issuer.series || '' as series,
  issuer.next_number + 0 as next_number,
  issuer.municipal_code_required is true as municipal_code_required,
  issuer.is_default is true as is_default,
  case when issuer.certificate is not null then json_build_object('subject', issuer.certificate -> 'subject', 'issuer', issuer.certificate -> 'issuer',
    'serial', issuer.certificate -> 'serial', 'sha256', issuer.certificate -> 'sha256', 'not_before', issuer.certificate -> 'not_before',
    'not_after', issuer.certificate -> 'not_after') end as certificate,
  json_array_length(state.problems) = 0 as ready,
  state.problems,
  greatest(issuer.archived_at) as archived_at,
  issuer.created_at
from invoicing.issuers as issuer cross join lateral (select invoicing.issuer_problems(issuer) as problems) as state
where (select platform.may_read('invoices:read'));
comment on view api.invoice_issuers is E'@primaryKey id\n@rowName issuer\n@get invoice_issuer invoices:read\n@list invoice_issuers invoices:read created_at\n@searches name, cnpj\n@defaultOrder ID_DESC\nCompanies in whose name the organization issues invoices.';
comment on column api.invoice_issuers.id is E'@notNull\n@behavior +orderBy\nId of the issuer. Ids are time-ordered.';
comment on column api.invoice_issuers.cnpj is E'@notNull\nCNPJ: 14 digits or capitals.';
comment on column api.invoice_issuers.name is E'@notNull\nCompany name.';
comment on column api.invoice_issuers.municipal_registration is 'Registration with the municipality. Null without one.';
comment on column api.invoice_issuers.city_code is E'@notNull\nCode of the municipality (IBGE): seven digits.';
comment on column api.invoice_issuers.simples is E'@notNull\nSimples Nacional (opSimpNac): 1 not opted, 2 MEI, 3 small company.';
comment on column api.invoice_issuers.simples_regime is 'How a small company in Simples Nacional computes its taxes (regApTribSN). Null otherwise.';
comment on column api.invoice_issuers.special_regime is E'@notNull\nSpecial regime of the municipality (regEspTrib), 0 without one.';
comment on column api.invoice_issuers.series is E'@notNull\nSeries of the DPS: one to five digits.';
comment on column api.invoice_issuers.next_number is E'@notNull\nNumber of the next DPS of the series. Only grows.';
comment on column api.invoice_issuers.municipal_code_required is E'@notNull\nWhether the municipality requires its own code of each service.';
comment on column api.invoice_issuers.is_default is E'@notNull\nWhether invoices that name no issuer are of this one.';
comment on column api.invoice_issuers.certificate is E'@format issuerCertificate\nThe certificate. Null without one.';
comment on column api.invoice_issuers.ready is E'@notNull\nWhether the issuer can issue.';
comment on column api.invoice_issuers.problems is E'@notNull\n@format issuerProblems\nWhy the issuer cannot issue. Empty if it can.';
comment on column api.invoice_issuers.archived_at is 'Since when the issuer issues nothing more (UTC). Null for one in use.';
comment on column api.invoice_issuers.created_at is E'@notNull\n@behavior +filterBy\nWhen the issuer was added (UTC).';
grant select on api.invoice_issuers to selo_app, selo_analyst;
