create or replace function signature.due_reminders(p_envelope_ids uuid[] default null)
  returns table (tenant_id uuid, environment text, envelope_id uuid, participant_id uuid, is_near boolean, mailed_at timestamptz)
  language sql stable set search_path = '' as $$
  select envelope.tenant_id, envelope.environment, envelope.id, participant.id, near.is_near, mailed.at
  from signature.envelopes as envelope
  join signature.participants as participant on participant.tenant_id = envelope.tenant_id and participant.envelope_id = envelope.id
  cross join lateral (select envelope.expires_at <= now() + interval '2 days' as is_near) as near
  -- The two others are those of envelopes from before there was mailed_at.
  cross join lateral (select greatest(participant.mailed_at, participant.reminded_at, participant.invited_at) as at) as mailed
  where (p_envelope_ids is null or envelope.id = any (p_envelope_ids))
    and envelope.status in ('sent', 'in_progress', 'partially_signed') and envelope.sealing_since is null and envelope.expires_at > now()
    -- Participants who were invited and have not acted are due. A locked link would open nothing: the sender replaces it.
    and participant.status in ('invited', 'viewed') and not participant.locked
    -- Nobody waits for an observador, who would be reminded until the end.
    and participant.role <> 'observador'
    and mailed.at <= now() - interval '24 hours'
    and (near.is_near and participant.noticed_at is null or mailed.at + make_interval(days => envelope.remind_every_days) <= now())
    and not exists (
      select from signature.signing_codes as code
      where code.tenant_id = envelope.tenant_id and code.envelope_id = envelope.id and code.participant_id = participant.id
        and code.created_at > now() - interval '24 hours')
$$;
comment on function signature.due_reminders(uuid[]) is
  'The participants whom nobody has to ask to be reminded: every remind_every_days after the last mail, and once when the deadline is at most two days away (is_near). mailed_at: when each was last mailed. None within 24 hours of another mail. Of all envelopes that the caller may read, or of these.';
revoke execute on function signature.due_reminders(uuid[]) from public;
grant execute on function signature.due_reminders(uuid[]) to selo_system;
