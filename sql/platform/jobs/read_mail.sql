create function jobs.read_mail(p_arguments jsonb) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('kind', mail.kind, 'channel', mail.channel, 'recipient', mail.recipient, 'language', mail.language, 'data', mail.data,
    'created_at', platform.instant(mail.created_at))
  from platform.mails as mail
  where mail.tenant_id = platform.tenant_id() and mail.id = (p_arguments ->> 'id')::uuid
    -- A mail that is never sent is not read by the job that sends, which does not say what it reads.
    and mail.is_withheld = coalesce((p_arguments ->> 'is_withheld')::boolean, false)
    and mail.sent_at is null and mail.failed_at is null and mail.composed_at is null
$$;
comment on function jobs.read_mail(jsonb) is 'The mail {id} of the context, as the mail is to be sent, or with {is_withheld: true} as it is to be composed only. Null for an unknown mail. Null also for a mail that was sent, given up or composed.';
revoke execute on function jobs.read_mail(jsonb) from public;
