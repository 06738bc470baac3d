create function jobs.remind_due(p_arguments jsonb) returns jsonb
  -- As in signature.invite_due.
  language plpgsql volatile set search_path = '' set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  c_tenant_id constant uuid := platform.tenant_id();
  -- An envelope in which somebody acts now comes with the next minute.
  c_ids constant uuid[] := array(
    select envelope.id from signature.envelopes as envelope
    where envelope.tenant_id = platform.tenant_id()
      and envelope.id = any (array(select given::uuid from jsonb_array_elements_text(p_arguments -> 'envelope_ids') as given))
    order by envelope.id for no key update skip locked);
  v_reminded uuid[];
  v_events platform.audit_draft[];
  v_mails platform.mail_draft[];
begin
  -- A process that died after the last wrong try has not written the lock. Such a link opens nothing.
  perform signature.lock_link(participant)
  from signature.due_reminders(c_ids) as reminder
  join signature.participants as participant on participant.tenant_id = c_tenant_id and participant.id = reminder.participant_id
  where signature.is_used_up(participant);
  -- Judged anew: the envelopes are locked now.
  with due as materialized (
    select reminder.participant_id, reminder.is_near, clock_timestamp() as at from signature.due_reminders(c_ids) as reminder
  ), reminded as (
    -- The link stays as it is: a reminder ends nobody's session.
    update signature.participants as participant
    set reminded_at = due.at, mailed_at = due.at, noticed_at = case when due.is_near then due.at else participant.noticed_at end
    from due where participant.tenant_id = c_tenant_id and participant.id = due.participant_id
    returning participant.id
  )
  select array_agg(reminded.id) into v_reminded from reminded;
  if v_reminded is null then
    return jsonb_build_object('reminded', 0);
  end if;
  with touched as materialized (
    select participant.envelope_id as id, array_agg(participant.id order by participant.id) as participant_ids from signature.participants as participant
    where participant.tenant_id = c_tenant_id and participant.id = any (v_reminded) group by participant.envelope_id
  ), told as materialized (
    -- One digest for all events of an envelope.
    select touched.id, touched.participant_ids, signature.envelope_state(touched.id) as state from touched
  )
  select array_agg(row('envelope.participant_reminded', 'envelope', told.id,
      jsonb_build_object('participant_id', participant.id, 'link_version', participant.link_version, 'new_link', false) || told.state, null)::platform.audit_draft
      order by participant.id),
    array_agg(signature.participant_mail('envelope_reminder', envelope, participant) order by participant.id) into v_events, v_mails
  from told
  join signature.envelopes as envelope on envelope.tenant_id = c_tenant_id and envelope.id = told.id
  join signature.participants as participant on participant.tenant_id = c_tenant_id and participant.envelope_id = told.id and participant.id = any (told.participant_ids);
  perform platform.record_audit_events(v_events);
  perform platform.send_mails(v_mails);
  return jsonb_build_object('reminded', cardinality(v_reminded));
end
$$;
comment on function jobs.remind_due(jsonb) is
  'Reminds the participants of these envelopes {envelope_ids} who are due by signature.due_reminders: the same link, a mail and an event for each. Links whose tries are used up are locked instead. Answers {reminded}: their number. The number of statements does not depend on the number of envelopes.';
revoke execute on function jobs.remind_due(jsonb) from public;
