create or replace function invoicing.customer_record(p_customer invoicing.customers) returns text
  language sql stable set search_path = '' as $$
  select platform.record_digest(p_customer.record_salt, jsonb_build_object(
    'name', p_customer.name, 'document_type', p_customer.document_type, 'document', p_customer.document, 'country', p_customer.country,
    'email', p_customer.email, 'phone', p_customer.phone, 'municipal_registration', p_customer.municipal_registration, 'address', p_customer.address,
    'archived_at', platform.instant(p_customer.archived_at), 'created_at', platform.instant(p_customer.created_at)))
$$;
comment on function invoicing.customer_record(invoicing.customers) is 'The salted digest of a customer, as the audit trail holds it.';
revoke execute on function invoicing.customer_record(invoicing.customers) from public;
grant execute on function invoicing.customer_record(invoicing.customers) to selo_system;
