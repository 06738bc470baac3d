create or replace function signature.mail_participant(p_kind text, p_envelope signature.envelopes, p_participant signature.participants) returns void
  language sql volatile set search_path = '' as $$
  select platform.send_mails(array[signature.participant_mail(p_kind, p_envelope, p_participant)])
$$;
comment on function signature.mail_participant(text, signature.envelopes, signature.participants) is 'Sends a mail about an envelope to one of its participants. See signature.participant_mail.';
revoke execute on function signature.mail_participant(text, signature.envelopes, signature.participants) from public;
