create or replace function platform.erase_mails(p_tenant_ids uuid[], p_ids uuid[], p_failure text) returns integer
  language plpgsql volatile set search_path = '' as $$
declare
  v_erased integer;
begin
  update platform.mails as mail
  set recipient = null, data = null, subject = null, text = null, html = null, link = null, code = null, erased_at = now(),
    failed_at = case when coalesce(mail.sent_at, mail.composed_at) is null then coalesce(mail.failed_at, now()) end,
    failure = case when coalesce(mail.sent_at, mail.composed_at) is null then coalesce(mail.failure, p_failure) end
  from unnest(p_tenant_ids, p_ids) as given (tenant_id, id)
  where mail.tenant_id = given.tenant_id and mail.id = given.id and mail.erased_at is null;
  get diagnostics v_erased = row_count;
  return v_erased;
end
$$;
comment on function platform.erase_mails(uuid[], uuid[], text) is
  'Erases recipient, data and what was composed of mails, given as organizations and ids. A mail that still waits is given up for this reason. Answers the number of erased mails.';
revoke execute on function platform.erase_mails(uuid[], uuid[], text) from public;
grant execute on function platform.erase_mails(uuid[], uuid[], text) to selo_system;
