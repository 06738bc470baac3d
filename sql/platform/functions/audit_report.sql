create or replace function platform.audit_report(
  p_tenant_id uuid, p_environment text, out events bigint, out unsealed_events bigint, out faults json
)
  language plpgsql volatile set search_path = '' as $$
begin
  perform platform.enter_context(p_tenant_id, p_environment, null, null);
  select count(*), count(*) filter (where head.seq is null or event.seq > head.seq) into events, unsealed_events
  from platform.audit_events as event
  left join (
    select leaf.subject_id, max(leaf.seq) as seq
    from platform.audit_seal_leaves as leaf
    join platform.audit_seals as seal on seal.number = leaf.seal_number
    where leaf.tenant_id = p_tenant_id and leaf.environment = p_environment
    group by leaf.subject_id
  ) as head on head.subject_id = event.subject_id
  where event.tenant_id = p_tenant_id and event.environment = p_environment;
  select coalesce(json_agg(row_to_json(gathered) order by gathered.subject_id, gathered.seq), '[]') into faults
  from (
    select fault.subject_type, fault.subject_id, fault.seq, fault.event_id, fault.fault from platform.audit_faults() as fault
    union all
    select gap.subject_type, gap.subject_id, gap.seq, gap.event_id, gap.fault from platform.audit_gaps() as gap
  ) as gathered;
  perform platform.enter_context(null, null, null, null);
end
$$;
comment on function platform.audit_report(uuid, text) is
  'What is wrong with the audit trail of an organization in one environment: [{subject_type, subject_id, seq, event_id, fault}], with how many events there are and how many of them no seal covers yet.';
revoke execute on function platform.audit_report(uuid, text) from public;
