create or replace function invoicing.default_issuer_id() returns uuid
  language sql stable set search_path = '' as $$
  select issuer.id from invoicing.issuers as issuer
  where issuer.tenant_id = platform.tenant_id() and issuer.environment = platform.environment() and issuer.archived_at is null
  order by issuer.is_default desc, issuer.id limit 1
$$;
comment on function invoicing.default_issuer_id() is 'The issuer of invoices that name none: the default, otherwise the first one in use. Null without an issuer in use.';
revoke execute on function invoicing.default_issuer_id() from public;
