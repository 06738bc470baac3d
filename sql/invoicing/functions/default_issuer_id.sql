create or replace function invoicing.default_issuer_id() returns uuid
  language sql stable set search_path = '' as $$
  select issuer.id from invoicing.issuers as issuer
  where issuer.tenant_id = platform.tenant_id() and issuer.environment = platform.environment() and issuer.is_default
$$;
comment on function invoicing.default_issuer_id() is 'The issuer of invoices that name none. Null without one.';
revoke execute on function invoicing.default_issuer_id() from public;
