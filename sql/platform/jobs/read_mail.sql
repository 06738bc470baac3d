create function jobs.read_mail(p_arguments jsonb) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('kind', mail.kind, 'recipient', mail.recipient, 'language', mail.language, 'data', mail.data,
    'created_at', platform.instant(mail.created_at))
  from platform.mails as mail
  where mail.tenant_id = platform.tenant_id() and mail.id = (p_arguments ->> 'id')::uuid
    and mail.sent_at is null and mail.failed_at is null
$$;
comment on function jobs.read_mail(jsonb) is 'The mail {id} of the context, as the mail is to be sent. Null for an unknown mail. Null also for a mail that was sent or given up.';
revoke execute on function jobs.read_mail(jsonb) from public;
