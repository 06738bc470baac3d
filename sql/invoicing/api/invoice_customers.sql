-- A column without a filter is an expression, as in api.proofs.
create view api.invoice_customers as
select
  customer.id,
  customer.name || '' as name,
  customer.document_type || '' as document_type,
  customer.document || '' as document,
  customer.country || '' as country,
  customer.email || '' as email,
  customer.phone || '' as phone,
  customer.municipal_registration || '' as municipal_registration,
  case when customer.address is not null then json_build_object('street', customer.address -> 'street', 'number', customer.address -> 'number',
    'complement', customer.address -> 'complement', 'district', customer.address -> 'district', 'city_code', customer.address -> 'city_code',
    'postal_code', customer.address -> 'postal_code') end as address,
  greatest(customer.archived_at) as archived_at,
  customer.created_at
from invoicing.customers as customer
where (select platform.may_read('invoices:read'));
comment on view api.invoice_customers is E'@primaryKey id\n@rowName customer\n@get invoice_customer invoices:read\n@list invoice_customers invoices:read created_at\n@searches name, document, email\n@defaultOrder ID_DESC\n@foreignKey (document_type) references invoicing.document_types (name)\nCustomers of invoices.';
comment on column api.invoice_customers.id is E'@notNull\n@behavior +orderBy\nId of the customer. Ids are time-ordered.';
comment on column api.invoice_customers.name is E'@notNull\nName or company name.';
comment on column api.invoice_customers.document_type is E'@notNull\nWhat identifies the customer: cpf, cnpj, nif (tax number of another country) or none.';
comment on column api.invoice_customers.document is 'CPF, CNPJ (digits and capitals alone) or foreign tax number. Null without a document.';
comment on column api.invoice_customers.country is E'@notNull\nCountry, ISO 3166-1 alpha-2.';
comment on column api.invoice_customers.email is 'E-mail address. Null if unknown.';
comment on column api.invoice_customers.phone is 'Telephone number: digits alone. Null if unknown.';
comment on column api.invoice_customers.municipal_registration is 'Registration with the municipality. Null without one.';
comment on column api.invoice_customers.address is E'@format invoiceAddress\nAddress. Null if unknown.';
comment on column api.invoice_customers.archived_at is 'Since when the customer takes no new invoice (UTC). Null for one in use.';
comment on column api.invoice_customers.created_at is E'@notNull\n@behavior +filterBy\nWhen the customer was added (UTC).';
grant select on api.invoice_customers to selo_app, selo_analyst;
