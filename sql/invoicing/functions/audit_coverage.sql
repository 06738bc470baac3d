create or replace function invoicing.audit_coverage() returns table (table_name text, column_name text, check_name text, how text)
  language sql immutable set search_path = '' as $$
  select covered.table_name, named.column_name, covered.check_name, covered.how
  from (values
    ('invoicing.customers', '{tenant_id,id,environment,name,document_type,document,country,email,phone,municipal_registration,address,archived_at,created_at,record_salt}', 'records', 'compared with the salted digest in the last event of the record'),
    ('invoicing.services', '{tenant_id,id,environment,name,description,national_code,municipal_code,nbs_code,iss_rate,iss_withheld,iss_taxation,pis_cofins_cst,approximate_taxes,ibs_cbs,archived_at,created_at,record_salt}', 'records', 'compared with the salted digest in the last event of the record'),
    ('invoicing.issuers', '{tenant_id,id,environment,cnpj,name,municipal_registration,city_code,simples,simples_regime,special_regime,series,municipal_code_required,is_default,certificate,certificate_chain,archived_at,created_at,record_salt}', 'records', 'compared with the salted digest in the last event of the record'),
    ('invoicing.issuers', '{next_number}', null, 'a number is left out, or refused: an index and the tax authority take each once'),
    ('invoicing.issuers', '{warned_days}', null, 'a mail about the end of a certificate comes again, or not at all'),
    ('invoicing.issuers', '{sealed_key}', null, 'the issuer issues nothing: a key can be decrypted only for its own issuer, and fits only its own certificate'),
    ('invoicing.invoices', '{tenant_id,id,environment,customer_id,service_id,issuer_id,customer,service,amount_services,iss_rate,iss_withheld,deductions,discount_unconditional,discount_conditional,pis_amount,cofins_amount,inss_amount,ir_amount,csll_amount,other_withholdings,description,competence_date,external_ref,idempotency_key,status,series,number,nfse_number,access_key,last_error_code,last_error_message,cancel_reason_code,cancel_reason,created_at,queued_at,authorized_at,canceled_at,record_salt}', 'records', 'compared with the salted digest in the last event of the record'),
    ('invoicing.invoices', '{next_attempt_at}', null, 'an attempt comes too early or too late'),
    ('invoicing.transmissions', '{tenant_id,invoice_id,kind,environment,issuer_id,due_at,attempts,first_failed_at,is_in_doubt,lease_id,leased_until}', null, 'an attempt comes too early, too late, again or not at all; the tax authority takes a number once'),
    ('invoicing.transmissions', '{request_id,request,request_sha256,earlier_requests,document,document_sha256,answer}', null, 'another file is shown: the digests of request and document stand in the events of the invoice, and both are signed'),
    ('invoicing.transmissions', '{file_id}', null, 'links of the last five minutes lead to no file, or to one of the same organization and environment'),
    ('invoicing.moves', '{from_status,action,to_status}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('invoicing.transmission_kinds', '{name,description}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('invoicing.statuses', '{name,description}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('invoicing.document_types', '{name,description}', 'reference_data', 'compared with a digest of the rows, recorded after each migration')
  ) as covered (table_name, columns, check_name, how)
  cross join lateral unnest(covered.columns::text[]) as named (column_name)
$$;
comment on function invoicing.audit_coverage() is 'See platform.audit_coverage.';
revoke execute on function invoicing.audit_coverage() from public;
