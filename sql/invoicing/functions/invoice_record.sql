create or replace function invoicing.invoice_record(p_invoice invoicing.invoices) returns text
  language sql stable set search_path = '' as $$
  select platform.record_digest(p_invoice.record_salt, jsonb_build_object(
    'customer_id', p_invoice.customer_id, 'service_id', p_invoice.service_id, 'issuer_id', p_invoice.issuer_id, 'customer', p_invoice.customer,
    'service', p_invoice.service, 'amount_services', p_invoice.amount_services::text, 'iss_rate', p_invoice.iss_rate::text,
    'iss_withheld', p_invoice.iss_withheld, 'deductions', p_invoice.deductions::text, 'discount_unconditional', p_invoice.discount_unconditional::text, 'discount_conditional', p_invoice.discount_conditional::text,
    'pis_amount', p_invoice.pis_amount::text, 'cofins_amount', p_invoice.cofins_amount::text, 'inss_amount', p_invoice.inss_amount::text, 'ir_amount', p_invoice.ir_amount::text,
    'csll_amount', p_invoice.csll_amount::text, 'other_withholdings', p_invoice.other_withholdings::text, 'description', p_invoice.description,
    'competence_date', p_invoice.competence_date, 'external_ref', p_invoice.external_ref, 'idempotency_key', p_invoice.idempotency_key,
    'status', p_invoice.status, 'series', p_invoice.series, 'number', p_invoice.number, 'nfse_number', p_invoice.nfse_number,
    'access_key', p_invoice.access_key, 'last_error_code', p_invoice.last_error_code, 'last_error_message', p_invoice.last_error_message,
    'cancel_reason_code', p_invoice.cancel_reason_code, 'cancel_reason', p_invoice.cancel_reason, 'created_at', platform.instant(p_invoice.created_at),
    'queued_at', platform.instant(p_invoice.queued_at), 'authorized_at', platform.instant(p_invoice.authorized_at),
    'canceled_at', platform.instant(p_invoice.canceled_at)))
$$;
comment on function invoicing.invoice_record(invoicing.invoices) is 'The salted digest of an invoice, as the audit trail holds it.';
revoke execute on function invoicing.invoice_record(invoicing.invoices) from public;
grant execute on function invoicing.invoice_record(invoicing.invoices) to selo_system;
