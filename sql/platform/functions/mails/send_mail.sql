create or replace function platform.send_mail(p_kind text, p_recipient text, p_language text, p_data jsonb) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_id uuid;
  v_is_withheld boolean;
begin
  insert into platform.mails as mail (tenant_id, environment, kind, recipient, language, data, envelope_id, participant_id, is_withheld)
  select
    organization.id, platform.environment(), p_kind, p_recipient, p_language,
    p_data || jsonb_build_object('organization', organization.name, 'time_zone', organization.time_zone, 'contact', organization.contact_email,
      'environment', platform.environment()),
    (p_data ->> 'envelope_id')::uuid, (p_data ->> 'participant_id')::uuid,
    -- The test environment sends mails only to the organization itself.
    platform.environment() = 'test' and p_recipient is distinct from organization.contact_email
  from platform.organizations as organization
  where organization.id = platform.tenant_id()
  returning mail.id, mail.is_withheld into strict v_id, v_is_withheld;
  -- A separate job: a worker without a mail server composes, too.
  perform platform.add_job(case when v_is_withheld then 'platform__compose_mail' else 'platform__send_mail' end, json_build_object('id', v_id));
end
$$;
comment on function platform.send_mail(text, text, text, jsonb) is
  'Writes a mail and its job in this transaction, in the context''s tenant and environment. Adds organization, time_zone, contact (its address, to which replies go; null without one) and environment to the data. Mails of the test environment are sent only to the organization''s own contact. Any other mail of the test environment is composed and kept for the test inbox.';
revoke execute on function platform.send_mail(text, text, text, jsonb) from public;
