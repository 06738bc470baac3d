create or replace function accounts.forget_sessions(p_person_id uuid, p_kept integer default null, p_by_person boolean default false) returns integer
  language plpgsql volatile set search_path = '' as $$
declare
  c_saved constant text[] := platform.saved_context();
  v_of record;
  v_forgotten integer := 0;
begin
  perform accounts.hold_person(p_person_id);
  for v_of in
    select gone.tenant_id, bool_or(gone.is_open) as were_open, count(*)::integer as sessions,
      array_agg(gone.live_digest) || array_agg(gone.test_digest) as digests
    from accounts.delete_sessions(p_person_id, p_kept) as gone group by gone.tenant_id, gone.is_open order by gone.tenant_id, gone.is_open
  loop
    perform accounts.enter_tenant(v_of.tenant_id);
    delete from platform.credentials as credential where credential.tenant_id = v_of.tenant_id and credential.digest = any (v_of.digests);
    perform accounts.record_member_event(case when v_of.were_open then 'user.signed_out' else 'user.sessions_forgotten' end,
      v_of.tenant_id, p_person_id, jsonb_build_object('sessions', v_of.sessions), p_by_person);
    v_forgotten := v_forgotten + v_of.sessions;
  end loop;
  perform platform.restore_context(c_saved);
  return v_forgotten;
end
$$;
comment on function accounts.forget_sessions(uuid, integer, boolean) is
  'Deletes the sessions of a person that ran out a week ago, with their credentials, and, with p_kept, all beyond so many: first those that are over, then the oldest. An open session ends so. Answers their number.';
revoke execute on function accounts.forget_sessions(uuid, integer, boolean) from public;
