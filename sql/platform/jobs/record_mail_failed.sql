create function jobs.record_mail_failed(p_arguments jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
begin
  update platform.mails as mail set failed_at = clock_timestamp(), failure = p_arguments ->> 'failure'
  where mail.tenant_id = platform.tenant_id() and mail.id = (p_arguments ->> 'id')::uuid
    and mail.sent_at is null and mail.failed_at is null;
  if found then
    perform platform.note_mail_outcome((p_arguments ->> 'id')::uuid, false);
  end if;
  return '{}';
end
$$;
comment on function jobs.record_mail_failed(jsonb) is 'Records that the mail {id} was given up because of {failure}.';
revoke execute on function jobs.record_mail_failed(jsonb) from public;
