create or replace function signature.mail_outcome_signing_code(p_mail platform.mails, p_is_delivered boolean) returns void
  language sql volatile set search_path = '' as $$
  select signature.note_invitation(code.participant_id, code.link_version, p_is_delivered)
  from signature.signing_codes as code
  where p_mail.channel = 'sms' and code.tenant_id = p_mail.tenant_id and code.id = (p_mail.data ->> 'code_id')::uuid
    -- A code that was tried has arrived, and one that a newer code replaced was not needed any more.
    and (p_is_delivered or code.tries = 0)
    and not exists (
      select from signature.signing_codes as newer
      where newer.tenant_id = code.tenant_id and newer.participant_id = code.participant_id and newer.id > code.id)
$$;
comment on function signature.mail_outcome_signing_code(platform.mails, boolean) is
  'See platform.note_mail_outcome and signature.note_invitation: an SMS that did not reach its participant tells the sender that the number is wrong, or that no SMS is sent at present.';
revoke execute on function signature.mail_outcome_signing_code(platform.mails, boolean) from public;
