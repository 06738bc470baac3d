create or replace function signature.mail_outcome_envelope_reminder(p_mail platform.mails, p_is_delivered boolean) returns void
  language sql volatile set search_path = '' as $$
  select signature.note_invitation(p_mail.participant_id, (p_mail.data ->> 'link_version')::integer, p_is_delivered)
$$;
comment on function signature.mail_outcome_envelope_reminder(platform.mails, boolean) is 'See platform.note_mail_outcome and signature.note_invitation.';
revoke execute on function signature.mail_outcome_envelope_reminder(platform.mails, boolean) from public;
