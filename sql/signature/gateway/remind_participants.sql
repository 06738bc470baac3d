create function gateway.remind_participants(p_id uuid, p_participant_id uuid default null, p_new_link boolean default false) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_envelope signature.envelopes;
  v_asked jsonb;
  v_reminded uuid[];
begin
  perform platform.require_scope('envelopes:send');
  v_envelope := signature.require_out(p_id);
  if p_participant_id is not null then
    perform signature.require_participant(p_id, p_participant_id);
  end if;
  select jsonb_agg(jsonb_build_object('participant_id', participant.id, 'reason', case
      when participant.status in ('completed', 'declined') then 'done'
      when participant.status not in ('invited', 'viewed') then 'not_their_turn'
      -- A locked link would keep the participant out for the rest of the hour, and so would five codes.
      when participant.locked or signature.is_used_up(participant) then null
      -- A link that fell into wrong hands is replaced at once, also just after a reminder.
      when p_new_link then (
        select case when counted.count > 1 and (signature.sends_of_codes(participant)).sent < 5 then 'recently_reminded' end
        from gateway.count_requests(sha256(convert_to('new signing link ' || participant.id, 'UTF8')), 1, 3600) as counted)
      when participant.reminded_at > clock_timestamp() - interval '1 hour' then 'recently_reminded' end) order by participant.id)
    into v_asked
  from signature.participants as participant
  where participant.tenant_id = v_envelope.tenant_id and participant.envelope_id = p_id
    and (p_participant_id is null or participant.id = p_participant_id);
  v_reminded := array(select (asked ->> 'participant_id')::uuid from jsonb_array_elements(v_asked) as asked where asked ->> 'reason' is null);
  if cardinality(v_reminded) = 0 then
    perform platform.fail(409, 'conflict', 'Nobody was reminded: ' || (
      select string_agg(distinct asked ->> 'reason', ', ') from jsonb_array_elements(v_asked) as asked) || '.');
  end if;
  perform signature.remind(v_envelope, v_reminded, coalesce(p_new_link, false));
  return json_build_object('reminded', v_reminded, 'skipped', (
    select coalesce(jsonb_agg(asked), '[]') from jsonb_array_elements(v_asked) as asked where asked ->> 'reason' is not null));
end
$$;
comment on function gateway.remind_participants(uuid, uuid, boolean) is
  E'@param id Id of the envelope.\n@param participant_id Only this participant. Default: every participant whose turn it is.\n@param new_link If true, the mail has a new link, which replaces the current one. A locked link is always replaced.\nPOST /envelopes/{id}/remind: {reminded: [participant_id], skipped: [{participant_id, reason}]}. The reason is done, not_their_turn or recently_reminded: a participant is reminded once an hour, and gets a new link once an hour, whatever came before. Where wrong codes have locked the link, a reminder is sent at any time; where five codes were sent within an hour, a new link. 409 conflict when all are skipped, for a draft, and once the envelope has ended.';
revoke execute on function gateway.remind_participants(uuid, uuid, boolean) from public;
