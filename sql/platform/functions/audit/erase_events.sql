create or replace function platform.erase_events(p_before timestamptz, p_ids uuid[]) returns bigint
  language plpgsql volatile set search_path = '' as $$
declare
  v_erased bigint;
begin
  update platform.audit_events as event set personal = null
  where event.tenant_id = platform.tenant_id() and event.environment = platform.environment() and event.personal is not null
    and (p_before is null or event.occurred_at < p_before) and (p_ids is null or event.id = any (p_ids));
  get diagnostics v_erased = row_count;
  return v_erased;
end
$$;
comment on function platform.erase_events(timestamptz, uuid[]) is
  'Erases values and salts of personal data from events of the context: from those before an instant, and of these ids. Null leaves a condition out. The chain holds only commitments and does not change. Answers the number of events that had personal data. The caller records the erasure.';
revoke execute on function platform.erase_events(timestamptz, uuid[]) from public;
