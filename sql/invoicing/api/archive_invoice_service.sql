create function api.archive_invoice_service(p_id uuid) returns api.invoice_services
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_service invoicing.services;
  v_answer api.invoice_services;
begin
  perform platform.require_scope('invoices:write');
  v_service := invoicing.require_service(p_id);
  if v_service.archived_at is null then
    update invoicing.services as service set archived_at = now()
    where service.tenant_id = v_service.tenant_id and service.id = p_id returning service.* into v_service;
    perform platform.record_audit_event('invoice_service.archived', 'invoice_service', p_id, jsonb_build_object('record_sha256', invoicing.service_record(v_service)));
  end if;
  select answer.* into v_answer from api.invoice_services as answer where answer.id = p_id;
  return v_answer;
end
$$;
comment on function api.archive_invoice_service(uuid) is
  E'@param id Id of the service.\nArchives a service, which then takes no new invoice. Invoices that name the service stay as they are.';
revoke execute on function api.archive_invoice_service(uuid) from public;
