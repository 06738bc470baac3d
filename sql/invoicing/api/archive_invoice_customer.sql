create function api.archive_invoice_customer(p_id uuid) returns api.invoice_customers
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_customer invoicing.customers;
  v_answer api.invoice_customers;
begin
  perform platform.require_scope('invoices:write');
  v_customer := invoicing.require_customer(p_id);
  if v_customer.archived_at is null then
    update invoicing.customers as customer set archived_at = now()
    where customer.tenant_id = v_customer.tenant_id and customer.id = p_id returning customer.* into v_customer;
    perform platform.record_audit_event('invoice_customer.archived', 'invoice_customer', p_id, jsonb_build_object('record_sha256', invoicing.customer_record(v_customer)));
  end if;
  select answer.* into v_answer from api.invoice_customers as answer where answer.id = p_id;
  return v_answer;
end
$$;
comment on function api.archive_invoice_customer(uuid) is
  E'@param id Id of the customer.\nArchives a customer, which then takes no new invoice. Invoices that name the customer stay as they are.';
revoke execute on function api.archive_invoice_customer(uuid) from public;
