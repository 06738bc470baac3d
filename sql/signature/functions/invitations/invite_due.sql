create or replace function signature.invite_due(p_envelope_ids uuid[], p_action text default null, p_details jsonb[] default null) returns void
  -- Ids are looked up: the planner takes each for one row in two hundred, and would read whole tables for a hundred of them.
  -- A plan for the number of ids at hand looks cheaper than one for any number, so each call would plan anew: a quarter of a send.
  language plpgsql volatile set search_path = '' set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set plan_cache_mode = force_generic_plan as $$
declare
  c_tenant_id constant uuid := platform.tenant_id();
  v_invited uuid[];
  v_events platform.audit_draft[];
  v_news webhooks.event_draft[];
  v_mails platform.mail_draft[];
begin
  with invited as (
    update signature.participants as participant
    set status = 'invited', invited_at = sent.at, mailed_at = sent.at, link_version = participant.link_version + 1
    from (select clock_timestamp() as at) as sent
    where participant.tenant_id = c_tenant_id and participant.status = 'pending'
      -- An array is looked up in the index. Joined, each of five thousand participants would be compared with each.
      and participant.id = any (array(
        select due.id from signature.envelopes as envelope cross join lateral signature.due_participants(envelope) as due (id)
        where envelope.tenant_id = c_tenant_id and envelope.id = any (p_envelope_ids)))
    returning participant.id
  )
  select array_agg(invited.id) into v_invited from invited;
  if p_action is null and v_invited is null then
    return;
  end if;
  with act as materialized (
    -- One digest for all events of an envelope: nobody sees the envelope between them.
    select given.id, given.place, given.details, signature.envelope_state(given.id) as state
    from unnest(p_envelope_ids, p_details) with ordinality as given (id, details, place)
  ), fact as (
    select act.place, null::uuid as invited_id, p_action as action, act.id as envelope_id, (act.details ->> 'participant_id')::uuid as participant_id, act.details || act.state as details
    from act where p_action is not null
    union all
    select act.place, participant.id, 'envelope.participant_invited', act.id, participant.id, jsonb_build_object('participant_id', participant.id) || act.state
    from signature.participants as participant join act on act.id = participant.envelope_id
    where participant.tenant_id = c_tenant_id and participant.id = any (v_invited)
  )
  select array_agg(row(fact.action, 'envelope', fact.envelope_id, fact.details, null)::platform.audit_draft order by fact.place, fact.invited_id nulls first),
    array_agg(signature.envelope_event(fact.action, fact.envelope_id, fact.participant_id) order by fact.place, fact.invited_id nulls first)
    into v_events, v_news
  from fact;
  perform platform.record_audit_events(v_events);
  perform webhooks.emit_events(v_news);
  if v_invited is not null then
    select array_agg(signature.participant_mail('envelope_invitation', envelope, participant) order by participant.id) into v_mails
    from signature.participants as participant
    join signature.envelopes as envelope on envelope.tenant_id = participant.tenant_id and envelope.id = participant.envelope_id
    where participant.tenant_id = c_tenant_id and participant.id = any (v_invited) and envelope.id = any (p_envelope_ids);
    perform platform.send_mails(v_mails);
  end if;
end
$$;
comment on function signature.invite_due(uuid[], text, jsonb[]) is
  'Invites each participant of these envelopes whose turn it is and who was not invited: a link, a mail and an event for each. Records and tells the act that made them due (action, and its details for each envelope) before them. The caller has locked the envelopes. The number of statements does not depend on the number of envelopes.';
revoke execute on function signature.invite_due(uuid[], text, jsonb[]) from public;
