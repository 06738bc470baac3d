create function jobs.record_mail_composed(p_arguments jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
begin
  update platform.mails as mail
  set composed_at = clock_timestamp(), subject = p_arguments ->> 'subject', text = p_arguments ->> 'text', html = p_arguments ->> 'html',
    link = p_arguments ->> 'link', code = p_arguments ->> 'code'
  where mail.tenant_id = platform.tenant_id() and mail.id = (p_arguments ->> 'id')::uuid
    and mail.is_withheld and mail.failed_at is null and mail.composed_at is null;
  return '{}';
end
$$;
comment on function jobs.record_mail_composed(jsonb) is
  'Keeps {subject, text, html, link, code} of the mail {id}, which is never sent. An SMS has neither subject nor html. Does nothing for a mail that was composed before.';
revoke execute on function jobs.record_mail_composed(jsonb) from public;
