create or replace function platform.send_mails(p_mails platform.mail_draft[]) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_jobs platform.job_draft[];
begin
  with written as (
    insert into platform.mails as mail (tenant_id, environment, kind, channel, recipient, language, data, envelope_id, participant_id, is_withheld)
    select
      organization.id, platform.environment(), draft.kind, coalesce(draft.data ->> 'channel', 'email'), draft.recipient, draft.language,
      draft.data || jsonb_build_object('organization', organization.name, 'time_zone', organization.time_zone, 'contact', organization.contact_email,
        'environment', platform.environment()),
      (draft.data ->> 'envelope_id')::uuid, (draft.data ->> 'participant_id')::uuid,
      -- The test environment sends mails only to the organization itself, which has no number.
      platform.environment() = 'test' and draft.recipient is distinct from organization.contact_email
    from unnest(p_mails) with ordinality as draft (kind, recipient, language, data, place)
    cross join platform.organizations as organization
    where organization.id = platform.tenant_id()
    order by draft.place
    returning mail.id, mail.is_withheld, mail.channel
  )
  -- Separate jobs: a worker without a mail server, or without a service that sends SMS, does the others.
  select array_agg(row(case when written.is_withheld then 'platform__compose_mail' when written.channel = 'sms' then 'platform__send_sms' else 'platform__send_mail' end,
    json_build_object('id', written.id), null, null, null, null, null)::platform.job_draft)
  into v_jobs from written;
  perform platform.add_jobs(v_jobs);
end
$$;
comment on function platform.send_mails(platform.mail_draft[]) is
  'Writes mails and their jobs in this transaction, in the context''s tenant and environment. With channel sms in its data a message is an SMS, and its recipient the mask of a number. Adds organization, time_zone, contact (its address, to which replies go; null without one) and environment to the data. Mails of the test environment are sent only to the organization''s own contact. Any other message of the test environment is composed and kept for the test inbox.';
revoke execute on function platform.send_mails(platform.mail_draft[]) from public;
