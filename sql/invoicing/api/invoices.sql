-- A column without a filter is an expression, as in api.proofs.
create view api.invoices as
select
  invoice.id,
  greatest(invoice.customer_id) as customer_id,
  greatest(invoice.service_id) as service_id,
  greatest(invoice.issuer_id) as issuer_id,
  (invoice.amount_services + 0)::numeric(17,2) as amount_services,
  (invoice.iss_rate + 0)::numeric(5,2) as iss_rate,
  invoice.iss_withheld is true as iss_withheld,
  (invoice.deductions + 0)::numeric(17,2) as deductions,
  (invoice.discount_unconditional + 0)::numeric(17,2) as discount_unconditional,
  (invoice.discount_conditional + 0)::numeric(17,2) as discount_conditional,
  (invoice.pis_amount + 0)::numeric(17,2) as pis_amount,
  (invoice.cofins_amount + 0)::numeric(17,2) as cofins_amount,
  (invoice.inss_amount + 0)::numeric(17,2) as inss_amount,
  (invoice.ir_amount + 0)::numeric(17,2) as ir_amount,
  (invoice.csll_amount + 0)::numeric(17,2) as csll_amount,
  (invoice.other_withholdings + 0)::numeric(17,2) as other_withholdings,
  invoice.description || '' as description,
  greatest(invoice.competence_date) as competence_date,
  invoice.external_ref || '' as external_ref,
  invoice.status || '' as status,
  invoice.series || '' as series,
  invoice.number + 0 as number,
  invoice.nfse_number || '' as nfse_number,
  invoice.access_key || '' as access_key,
  json_build_object('name', invoice.customer ->> 'name', 'document', invoice.customer ->> 'document') as customer,
  json_build_object('name', invoice.service ->> 'name', 'national_code', invoice.service ->> 'national_code') as service,
  amounts.iss_base::numeric(17,2) as iss_base,
  amounts.iss_amount::numeric(17,2) as iss_amount,
  invoicing.withholdings_json(invoice, amounts.iss_withheld_amount, amounts.withheld_total) as withholdings,
  amounts.net_amount::numeric(18,2) as net_amount,
  invoice.last_error_code || '' as last_error_code,
  invoice.last_error_message || '' as last_error_message,
  greatest(invoice.next_attempt_at) as next_attempt_at,
  case when invoice.cancel_reason_code is not null then json_build_object('reason_code', invoice.cancel_reason_code, 'reason', invoice.cancel_reason) end as cancel,
  invoice.created_at,
  greatest(invoice.queued_at) as queued_at,
  greatest(invoice.authorized_at) as authorized_at,
  greatest(invoice.canceled_at) as canceled_at
from invoicing.invoices as invoice cross join lateral invoicing.amounts_of(invoice) as amounts
where (select platform.may_read('invoices:read'));
comment on view api.invoices is E'@primaryKey id\n@searches customer.name, customer.document, external_ref, description, number^, access_key^\n@defaultOrder ID_DESC\n@memberOfOne events invoicing.events_of(id)\n@memberOfOne chain invoicing.chain_of(id)\n@get invoice invoices:read\n@foreignKey (status) references invoicing.statuses (name)\nService invoices (NFS-e).';
comment on column api.invoices.id is E'@notNull\n@behavior +orderBy\nId of the invoice. Ids are time-ordered.';
comment on column api.invoices.customer_id is E'@notNull\nTo whom the service is invoiced.';
comment on column api.invoices.service_id is E'@notNull\nWhat is invoiced.';
comment on column api.invoices.issuer_id is E'@notNull\nIn whose name.';
comment on column api.invoices.amount_services is E'@notNull\nAmount of the services, in BRL.';
comment on column api.invoices.iss_rate is E'@notNull\nRate of ISS in per cent.';
comment on column api.invoices.iss_withheld is E'@notNull\nWhether the customer withholds ISS.';
comment on column api.invoices.deductions is E'@notNull\nDeductions from the base of ISS, in BRL.';
comment on column api.invoices.discount_unconditional is E'@notNull\nDiscount without a condition, in BRL.';
comment on column api.invoices.discount_conditional is E'@notNull\nDiscount with a condition, in BRL.';
comment on column api.invoices.pis_amount is E'@notNull\nPIS withheld, in BRL.';
comment on column api.invoices.cofins_amount is E'@notNull\nCOFINS withheld, in BRL.';
comment on column api.invoices.inss_amount is E'@notNull\nINSS withheld, in BRL.';
comment on column api.invoices.ir_amount is E'@notNull\nIR withheld, in BRL.';
comment on column api.invoices.csll_amount is E'@notNull\nCSLL withheld, in BRL.';
comment on column api.invoices.other_withholdings is E'@notNull\nOther withholdings, in BRL.';
comment on column api.invoices.description is E'@notNull\nWhat the invoice says of the service.';
comment on column api.invoices.competence_date is E'@notNull\nThe day on which the service was rendered.';
comment on column api.invoices.external_ref is 'Your reference. Null without one.';
comment on column api.invoices.status is E'@notNull\n@behavior +filterBy\nThe state: draft, queued, authorized, rejected, failed, canceling or canceled.';
comment on column api.invoices.series is 'Series of the DPS. Null before the first transmission.';
comment on column api.invoices.number is 'Number of the DPS. Null before the first transmission.';
comment on column api.invoices.nfse_number is 'Number of the NFS-e. Null before the authorization.';
comment on column api.invoices.access_key is 'Access key of the NFS-e: 50 digits. Null before the authorization.';
comment on column api.invoices.customer is E'@notNull\n@format invoiceParty\nThe customer as it was when the invoice named it.';
comment on column api.invoices.service is E'@notNull\n@format invoicedService\nThe service as it was when the invoice named it.';
comment on column api.invoices.iss_base is E'@notNull\nBase of ISS, in BRL.';
comment on column api.invoices.iss_amount is E'@notNull\nISS, in BRL.';
comment on column api.invoices.withholdings is E'@notNull\n@format withholdings\nWhat the customer withholds, in BRL.';
comment on column api.invoices.net_amount is E'@notNull\nWhat the customer pays, in BRL.';
comment on column api.invoices.last_error_code is 'The first code of the last refusal; transport, or http_ and the status, without a usable answer; untrusted_answer; internal for a fault of ours. Null without an error.';
comment on column api.invoices.last_error_message is 'Every code of the last refusal with its message. Null without an error.';
comment on column api.invoices.next_attempt_at is 'When the next attempt is due (UTC). Null if none is.';
comment on column api.invoices.cancel is E'@format cancellation\nWhy the invoice is to be canceled. Null unless a cancellation was asked for.';
comment on column api.invoices.created_at is E'@notNull\n@behavior +filterBy\nWhen the invoice was made (UTC).';
comment on column api.invoices.queued_at is 'When the invoice was last queued for transmission (UTC). Null before.';
comment on column api.invoices.authorized_at is 'When the NFS-e was issued (UTC). Null before.';
comment on column api.invoices.canceled_at is 'When the NFS-e was canceled (UTC). Null before.';
grant select on api.invoices to selo_app, selo_analyst;
