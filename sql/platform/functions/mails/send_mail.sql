create or replace function platform.send_mail(p_kind text, p_recipient text, p_language text, p_data jsonb) returns void
  language sql volatile set search_path = '' as $$
  select platform.send_mails(array[row(p_kind, p_recipient, p_language, p_data)::platform.mail_draft])
$$;
comment on function platform.send_mail(text, text, text, jsonb) is 'Writes a mail and its job in this transaction. See platform.send_mails.';
revoke execute on function platform.send_mail(text, text, text, jsonb) from public;
