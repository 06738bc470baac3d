--! owner selo_system
-- Looks across tenants: the retention period is the same for the mails of all organizations.
create function jobs.erase_old_mails(p_limit integer default 10000) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_oldest constant timestamptz := now() - make_interval(days => (
    select setting.value::integer from platform.settings as setting where setting.name = 'mail_retention_days'));
  v_tenant_ids uuid[];
  v_ids uuid[];
begin
  select array_agg(old.tenant_id), array_agg(old.id) into v_tenant_ids, v_ids
  from (
    select kept.tenant_id, kept.id from platform.mails as kept
    where kept.erased_at is null and kept.created_at < v_oldest
      and coalesce(kept.sent_at, kept.failed_at, kept.composed_at, kept.created_at) < v_oldest
    order by kept.created_at
    limit p_limit
    for update skip locked
  ) as old;
  -- A mail that waited for the whole retention period is out of date.
  return platform.erase_mails(v_tenant_ids, v_ids, 'waited too long');
end
$$;
comment on function jobs.erase_old_mails(integer) is
  'Erases recipient, data and what was composed of mails that were sent, composed or given up mail_retention_days ago. Gives up mails that have waited that long. At most p_limit mails at once. Answers the number of erased mails.';
revoke execute on function jobs.erase_old_mails(integer) from public;
grant execute on function jobs.erase_old_mails(integer) to selo_worker;
