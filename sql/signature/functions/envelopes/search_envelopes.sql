--! owner selo_system
-- Looks across tenants: operators that are not leakproof lose their index under row-level security. Tenant and environment are arguments.
create or replace function signature.search_envelopes(
  p_tenant_id uuid, p_environment text, p_search text, p_status text, p_from timestamptz, p_to timestamptz, p_after uuid, p_limit integer,
  p_filters jsonb default '{}', p_newer_than uuid default null, p_oldest_first boolean default false,
  p_label_id uuid default null, p_offset integer default 0
)
  returns table (id uuid)
  -- Each search is planned for its own text and its own period.
  language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
declare
  c_patterns constant text[] := platform.search_patterns(p_search);
  -- Participants are few beside the envelopes of other organizations, so the index of their texts finds them first.
  c_envelope_ids constant uuid[] := case when p_search <> '' then array(
    select distinct participant.envelope_id from signature.participants as participant
    where participant.tenant_id = p_tenant_id and participant.environment = p_environment
      and (participant.name operator(pg_catalog.~~*) any (c_patterns) or participant.email operator(pg_catalog.~~*) any (c_patterns))) end;
  -- Rows of envelope_labels are in the environment of their label.
  c_label_id constant uuid := case when p_label_id is not null then (
    select label.id from signature.labels as label
    where label.tenant_id = p_tenant_id and label.environment = p_environment and label.id = p_label_id) end;
begin
  if p_label_id is not null then
    return query
      -- Without a condition on envelopes the plan leaves envelopes out, and reads the index of the label alone.
      select linked.envelope_id
      from signature.envelope_labels as linked
      left join signature.envelopes as envelope on envelope.tenant_id = linked.tenant_id and envelope.id = linked.envelope_id
      where linked.tenant_id = p_tenant_id and linked.label_id = c_label_id
        and (p_status is null or envelope.status = p_status)
        and (p_search is null or p_search = '' or envelope.title operator(pg_catalog.~~*) any (c_patterns)
          or envelope.external_id operator(pg_catalog.~~*) any (c_patterns) or linked.envelope_id = any (c_envelope_ids))
        and (p_from is null or envelope.created_at >= p_from) and (p_to is null or envelope.created_at < p_to)
        and (p_after is null or linked.envelope_id < p_after) and (p_newer_than is null or linked.envelope_id > p_newer_than)
        and (p_filters = '{}' or signature.is_envelope_within(envelope.created_at, envelope.status, p_filters))
      order by case when p_oldest_first then linked.envelope_id end, case when not p_oldest_first then linked.envelope_id end desc limit p_limit offset p_offset;
    return;
  end if;
  return query
    select envelope.id from signature.envelopes as envelope
    where envelope.tenant_id = p_tenant_id and envelope.environment = p_environment
      and (p_status is null or envelope.status = p_status)
      and (p_search is null or p_search = '' or envelope.title operator(pg_catalog.~~*) any (c_patterns)
        or envelope.external_id operator(pg_catalog.~~*) any (c_patterns) or envelope.id = any (c_envelope_ids))
      and (p_from is null or envelope.created_at >= p_from) and (p_to is null or envelope.created_at < p_to)
      and (p_after is null or envelope.id < p_after) and (p_newer_than is null or envelope.id > p_newer_than)
      and (p_filters = '{}' or signature.is_envelope_within(envelope.created_at, envelope.status, p_filters))
    -- The plan knows the direction: a key that is null for every envelope needs no sort.
    order by case when p_oldest_first then envelope.id end, case when not p_oldest_first then envelope.id end desc limit p_limit offset p_offset;
end
$$;
comment on function signature.search_envelopes(uuid, text, text, text, timestamptz, timestamptz, uuid, integer, jsonb, uuid, boolean, uuid, integer) is
  'Ids of the newest envelopes of a state and of a period whose title or external_id contains the text, or that have a participant whose name or e-mail address contains the text. The search ignores upper and lower case, and how accents are written. Only envelopes with the label p_label_id. Null leaves a condition out. p_filters has the filters of GraphQL, see signature.is_envelope_within. Oldest first, the oldest are found.';
revoke execute on function signature.search_envelopes(uuid, text, text, text, timestamptz, timestamptz, uuid, integer, jsonb, uuid, boolean, uuid, integer) from public;
grant execute on function signature.search_envelopes(uuid, text, text, text, timestamptz, timestamptz, uuid, integer, jsonb, uuid, boolean, uuid, integer) to selo_owner;
