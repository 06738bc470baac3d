create or replace function platform.audit_chain_events(p_subject_id uuid) returns json
  -- plpgsql, because the view's wire form is made later than this function.
  language plpgsql stable set search_path = '' as $$
begin
  return (
    -- The columns of api.audit_events. The view itself asks for audit:read, and answers nothing to a caller without this scope.
    select coalesce(json_agg(gateway.audit_events_json(row(event.id, event.action, event.subject_type, event.subject_id, event.seq, event.actor_type,
      event.actor_id, event.channel, event.request_id, event.personal #>> '{address,value}', event.occurred_at, event.details::json, event.commitments::json,
      encode(event.prev_hash, 'hex'), encode(event.hash, 'hex'), sealed.by)::api.audit_events) order by event.seq), '[]')
    from platform.audit_events as event
    left join lateral (
      select min(leaf.seal_number) as by from platform.audit_seal_leaves as leaf
      join platform.audit_seals as seal on seal.number = leaf.seal_number
      where leaf.tenant_id = event.tenant_id and leaf.environment = event.environment and leaf.subject_id = event.subject_id and leaf.seq >= event.seq
    ) as sealed on true
    where event.tenant_id = platform.tenant_id() and event.environment = platform.environment() and event.subject_id = p_subject_id);
end
$$;
comment on function platform.audit_chain_events(uuid) is
  'All events of a subject''s chain as GET /audit shows them, oldest first, for a command that asked for the right to read the subject.';
revoke execute on function platform.audit_chain_events(uuid) from public;
