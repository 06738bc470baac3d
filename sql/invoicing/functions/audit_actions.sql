create or replace function invoicing.audit_actions() returns table (action text, says text)
  language sql immutable set search_path = '' as $$
  values
    ('invoice_customer.created', 'made'), ('invoice_customer.changed', 'changed'), ('invoice_customer.archived', 'changed'),
    ('invoice_service.created', 'made'), ('invoice_service.changed', 'changed'), ('invoice_service.archived', 'changed'),
    ('invoice_issuer.created', 'made'), ('invoice_issuer.changed', 'changed'), ('invoice_issuer.archived', 'changed'), ('invoice_issuer.certified', 'changed'),
    ('invoice.drafted', 'made'), ('invoice.queued', 'made'), ('invoice.changed', 'changed'), ('invoice.emitted', 'changed'), ('invoice.numbered', 'changed'), ('invoice.authorized', 'changed'),
    ('invoice.rejected', 'changed'), ('invoice.failed', 'changed'), ('invoice.tried', 'changed'), ('invoice.canceling', 'changed'), ('invoice.canceled', 'changed'),
    ('invoice.cancel_refused', 'changed'), ('invoice.deleted', 'gone')
$$;
comment on function invoicing.audit_actions() is 'See platform.audit_actions.';
revoke execute on function invoicing.audit_actions() from public;
grant execute on function invoicing.audit_actions() to selo_system;
