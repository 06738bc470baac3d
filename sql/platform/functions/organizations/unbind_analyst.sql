create or replace function platform.unbind_analyst(p_login text) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_bound platform.analysts;
begin
  delete from platform.analysts as own where own.login = p_login returning * into v_bound;
  if v_bound.login is not null then
    perform platform.enter_context(v_bound.tenant_id, v_bound.environment, null, null, null);
    perform platform.record_audit_event('analyst.revoked', 'analyst', v_bound.id, '{}', jsonb_build_object('login', p_login));
    perform platform.enter_context(null, null, null, null, null);
  -- An interrupted revocation leaves a login of this database that cannot log in. A login of another database can log in.
  elsif not exists (select from pg_catalog.pg_roles as known
    where known.rolname = p_login and known.rolname like 'selo\_analyst\_%' and not known.rolcanlogin) then
    perform platform.fail(404, 'not_found', 'There is no such analyst.');
  end if;
end
$$;
comment on function platform.unbind_analyst(text) is
  'Ends the binding of a login. From now on the login sees nothing, in open sessions too. 404 not_found when there is neither a binding nor a login to drop.';
revoke execute on function platform.unbind_analyst(text) from public;
