create or replace function platform.note_mail_outcome(p_id uuid, p_is_delivered boolean) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_mail platform.mails;
  v_service text;
begin
  select mail.* into v_mail from platform.mails as mail where mail.tenant_id = platform.tenant_id() and mail.id = p_id;
  for v_service in
    select hook.service from platform.service_functions('mail_outcome_', v_mail.kind) as hook
  loop
    execute format('select %I.%I($1, $2)', v_service, 'mail_outcome_' || v_mail.kind) using v_mail, p_is_delivered;
  end loop;
end
$$;
comment on function platform.note_mail_outcome(uuid, boolean) is
  'Tells the service of a mail whether a mail server accepted the mail, where the service has a function mail_outcome_<kind>(mail, is_delivered).';
revoke execute on function platform.note_mail_outcome(uuid, boolean) from public;
