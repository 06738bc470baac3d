create or replace function accounts.audit_records_user(p_tenant_id uuid)
  returns table (tenant_id uuid, environment text, id uuid, record_sha256 text)
  language sql stable set search_path = '' as $$
  select membership.tenant_id, 'live', membership.person_id, accounts.member_record(membership)
  from accounts.memberships as membership where p_tenant_id is null or membership.tenant_id = p_tenant_id
$$;
comment on function accounts.audit_records_user(uuid) is 'The memberships of people, as records. See platform.audit_check_records.';
revoke execute on function accounts.audit_records_user(uuid) from public;
grant execute on function accounts.audit_records_user(uuid) to selo_system;
