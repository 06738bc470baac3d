create function jobs.record_mail_sent(p_arguments jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
begin
  update platform.mails as mail set sent_at = clock_timestamp()
  where mail.tenant_id = platform.tenant_id() and mail.id = (p_arguments ->> 'id')::uuid
    and mail.sent_at is null and mail.failed_at is null;
  if found then
    perform platform.note_mail_outcome((p_arguments ->> 'id')::uuid, true);
  end if;
  return '{}';
end
$$;
comment on function jobs.record_mail_sent(jsonb) is 'Records that a mail server, or the service that sends SMS, accepted the message {id}.';
revoke execute on function jobs.record_mail_sent(jsonb) from public;
