--! owner selo_system
-- Looks across tenants: labels of all organizations are compared with their events.
create or replace function signature.audit_check_envelope_labels(p_tenant_id uuid) returns setof platform.audit_fault
  language sql stable security definer set search_path = '' as $$
  with said as (
    -- The last event about an envelope and a label.
    select distinct on (event.tenant_id, event.environment, event.subject_id, named.envelope_id)
      event.tenant_id, event.environment, event.subject_id, named.envelope_id, event.seq, event.id, event.action = 'label.attached' as is_attached
    from platform.audit_events as event
    cross join lateral (select platform.read_json(event.details) ->> 'envelope_id' as envelope_id offset 0) as named
    where event.action in ('label.attached', 'label.detached') and (p_tenant_id is null or event.tenant_id = p_tenant_id)
    order by event.tenant_id, event.environment, event.subject_id, named.envelope_id, event.seq desc
  ), there as (
    select linked.tenant_id, linked.environment, linked.label_id, linked.envelope_id::text as envelope_id
    from signature.envelope_labels as linked where p_tenant_id is null or linked.tenant_id = p_tenant_id
  )
  select 'envelope_labels', coalesce(there.tenant_id, said.tenant_id), coalesce(there.environment, said.environment), 'label',
    coalesce(there.label_id, said.subject_id), coalesce(said.seq, 1), said.id,
    format(case when there.label_id is null then 'the envelope %s has lost the label' else 'the envelope %s has the label, and no event says so' end,
      coalesce(there.envelope_id, said.envelope_id))
  from there
  full join said on said.tenant_id = there.tenant_id and said.environment = there.environment and said.subject_id = there.label_id
    and said.envelope_id = there.envelope_id
  where (there.label_id is not null) <> coalesce(said.is_attached, false)
    -- With a label or an envelope that is removed, its rows go. platform.audit_check_records compares both.
    and (there.label_id is not null or (
      exists (select from signature.labels as label where label.tenant_id = said.tenant_id and label.id = said.subject_id)
      and exists (select from signature.envelopes as envelope where envelope.tenant_id = said.tenant_id and envelope.id::text = said.envelope_id)))
$$;
comment on function signature.audit_check_envelope_labels(uuid) is 'Finds envelopes that have other labels than the events of the labels say.';
revoke execute on function signature.audit_check_envelope_labels(uuid) from public;
grant execute on function signature.audit_check_envelope_labels(uuid) to selo_owner;
