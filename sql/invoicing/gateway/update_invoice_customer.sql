create function gateway.update_invoice_customer(
  p_id uuid, p_given text[], p_name text default null, p_document_type text default null, p_document text default null, p_country text default null, p_email text default null, p_phone text default null, p_municipal_registration text default null, p_address jsonb default null
)
  returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  v_old invoicing.customers;
  v_customer invoicing.customers;
begin
  perform platform.require_scope('invoices:write');
  v_old := invoicing.require_customer(p_id);
  v_customer := v_old;
  v_customer.name := case when 'name' = any (p_given) then invoicing.trimmed(p_name) else v_old.name end;
  v_customer.document_type := case when 'document_type' = any (p_given) then p_document_type else v_old.document_type end;
  v_customer.document := case when 'document' = any (p_given) then invoicing.trimmed(p_document) else v_old.document end;
  v_customer.country := case when 'country' = any (p_given) then p_country else v_old.country end;
  v_customer.email := case when 'email' = any (p_given) then invoicing.trimmed(p_email) else v_old.email end;
  v_customer.phone := case when 'phone' = any (p_given) then p_phone else v_old.phone end;
  v_customer.municipal_registration := case when 'municipal_registration' = any (p_given) then p_municipal_registration else v_old.municipal_registration end;
  v_customer.address := case when 'address' = any (p_given) then invoicing.whole_address(p_address) else v_old.address end;
  perform invoicing.refuse_wrong_customer(v_customer);
  if v_customer is distinct from v_old then
    update invoicing.customers as customer
    set name = v_customer.name,
      document_type = v_customer.document_type,
      document = v_customer.document,
      country = v_customer.country,
      email = v_customer.email,
      phone = v_customer.phone,
      municipal_registration = v_customer.municipal_registration,
      address = v_customer.address
    where customer.tenant_id = v_old.tenant_id and customer.id = p_id returning customer.* into v_customer;
    perform platform.record_audit_event('invoice_customer.changed', 'invoice_customer', p_id, jsonb_build_object('record_sha256', invoicing.customer_record(v_customer)));
  end if;
  return (select gateway.invoice_customers_json(answer) from api.invoice_customers as answer where answer.id = p_id);
end
$$;
comment on function gateway.update_invoice_customer(uuid, text[], text, text, text, text, text, text, text, jsonb) is
  E'@param id Id of the customer.\n@param name {1..300, not null} Name or company name, in characters of Latin-1.\n@param document_type {invoicing.document_types, not null} What identifies the customer.\n@param document {..40} CPF, CNPJ (digits and capitals alone) or foreign tax number; none for `none`.\n@param country {..2, /^[A-Z]{2}$/ must be 2 capitals: a country (ISO 3166-1), not null} Country (ISO 3166-1 alpha-2).\n@param email {..80} E-mail address.\n@param phone {..20, /^[0-9]{6,20}$/ must be 6 to 20 digits} Telephone number: digits alone.\n@param municipal_registration {..15, /^[A-Za-z0-9]{1,15}$/ must be 1 to 15 letters and digits} Registration with the municipality.\nChanges the given members of a customer, named in p_given. Invoices keep what they copied.';
revoke execute on function gateway.update_invoice_customer(uuid, text[], text, text, text, text, text, text, text, jsonb) from public;
