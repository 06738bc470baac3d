--! owner selo_system
-- Looks across tenants: a worker that was killed may have held checks of any organization.
create function jobs.overdue_documents() returns table (tenant_id uuid, environment text, id uuid)
  language sql stable security definer set search_path = '' as $$
  select document.tenant_id, document.environment, document.id from signature.documents as document
  where document.checked_at is null and document.created_at < clock_timestamp() - interval '1 minute'
    and (document.checking_until < clock_timestamp()) is not false
  order by document.created_at limit 1000
$$;
comment on function jobs.overdue_documents() is
  'Documents that have waited for their check for more than a minute, and that no worker holds: their job waits behind others, or was lost with its worker.';
revoke execute on function jobs.overdue_documents() from public;
grant execute on function jobs.overdue_documents() to selo_worker;
