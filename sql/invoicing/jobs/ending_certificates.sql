--! owner selo_system
-- Looks across tenants: the certificates of all organizations end by one clock.
create function jobs.ending_certificates() returns table (tenant_id uuid, environment text, id uuid)
  language sql stable security definer set search_path = '' as $$
  select issuer.tenant_id, issuer.environment, issuer.id from invoicing.issuers as issuer
  where issuer.archived_at is null and invoicing.days_to_warn_of((issuer.certificate ->> 'not_after')::timestamptz, clock_timestamp()) < coalesce(issuer.warned_days, 31)
  order by issuer.tenant_id, issuer.id limit 1000
$$;
comment on function jobs.ending_certificates() is 'Issuers whose owners have to hear of the end of the certificate, at most 1,000.';
revoke execute on function jobs.ending_certificates() from public;
grant execute on function jobs.ending_certificates() to selo_worker;
