--! owner selo_system
-- Looks across tenants: the retention period is the same for the mails of all organizations.
create function jobs.erase_old_mails(p_limit integer default 10000) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_oldest constant timestamptz := now() - make_interval(days => (
    select setting.value::integer from platform.settings as setting where setting.name = 'mail_retention_days'));
  v_erased integer;
begin
  update platform.mails as mail
  set recipient = null, data = null, subject = null, text = null, html = null, link = null, code = null, erased_at = now(),
    -- A mail that waited for the whole retention period is out of date.
    failed_at = case when coalesce(mail.sent_at, mail.composed_at) is null then coalesce(mail.failed_at, now()) end,
    failure = case when coalesce(mail.sent_at, mail.composed_at) is null then coalesce(mail.failure, 'waited too long') end
  where (mail.tenant_id, mail.id) in (
    select old.tenant_id, old.id from platform.mails as old
    where old.erased_at is null and old.created_at < v_oldest
      and coalesce(old.sent_at, old.failed_at, old.composed_at, old.created_at) < v_oldest
    order by old.created_at
    limit p_limit
    for update skip locked
  );
  get diagnostics v_erased = row_count;
  return v_erased;
end
$$;
comment on function jobs.erase_old_mails(integer) is
  'Erases recipient, data and what was composed of mails that were sent, composed or given up mail_retention_days ago. Gives up mails that have waited that long. At most p_limit mails at once. Answers the number of erased mails.';
revoke execute on function jobs.erase_old_mails(integer) from public;
grant execute on function jobs.erase_old_mails(integer) to selo_worker;
