-- One statement makes all events: proofs come fifty at a time.
create or replace function platform.make_audit_events(p_entries platform.audit_entry[]) returns setof platform.audit_events
  language sql volatile set search_path = '' as $$
  select (draft.event).tenant_id, (draft.event).environment, (draft.event).id, (draft.event).subject_type, (draft.event).subject_id,
    (draft.event).seq, (draft.event).action, (draft.event).actor_type, (draft.event).actor_id, (draft.event).channel,
    (draft.event).request_id, (draft.event).occurred_at, (draft.event).details, (draft.event).commitments, (draft.event).personal,
    (draft.event).prev_hash, platform.audit_event_hash(draft.event)
  from (select platform.tenant_id() as tenant_id, platform.environment() as environment,
    nullif(current_setting('app.actor_kind', true), '') as actor_kind, nullif(current_setting('app.actor_id', true), '')::uuid as actor_id,
    -- Set for a request that a function of v0.1.0 accepted before the repeatable step. Removed in the next release.
    nullif(current_setting('app.token_id', true), '')::uuid as token_id) as context
  cross join unnest(p_entries) as entry
  cross join lateral (
    select jsonb_object_agg(piece.name, piece.salted) as personal,
      coalesce('{' || string_agg(
        to_json(piece.name) || ':"' || platform.commitment(piece.salted) || '"', ',' order by piece.name collate "C") || '}', '{}') as commitments
    from (
      select given.name, jsonb_build_object('salt', encode(extensions.gen_random_bytes(16), 'hex'), 'value', given.value) as salted
      from jsonb_each_text(entry.personal || jsonb_build_object(
        'address', nullif(entry.origin ->> 'address', ''), 'agent', nullif(entry.origin ->> 'agent', ''), 'operator', nullif(entry.origin ->> 'operator', ''))) as given (name, value)
      where given.value is not null offset 0
    ) as piece
  ) as salted
  cross join lateral (
    select row(context.tenant_id, context.environment, platform.uuidv7(), entry.subject_type, entry.subject_id, entry.seq, entry.action,
      case
        when context.actor_kind is not null then context.actor_kind
        when context.token_id is not null then 'token'
        -- An operator at the command line and a job act without a credential.
        when entry.origin ->> 'channel' = 'cli' then 'operator'
        else 'system'
      end,
      case when context.actor_kind is not null then context.actor_id else context.token_id end,
      entry.origin ->> 'channel', entry.origin ->> 'request_id', clock_timestamp(), entry.details, salted.commitments,
      salted.personal, entry.prev_hash, null)::platform.audit_events as event
    offset 0
  ) as draft
$$;
comment on function platform.make_audit_events(platform.audit_entry[]) is
  'Events of the context''s organization and actor, ready to be inserted, with their hashes and a salt for each piece of personal data.';
revoke execute on function platform.make_audit_events(platform.audit_entry[]) from public;
