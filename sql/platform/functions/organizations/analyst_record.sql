create or replace function platform.analyst_record(p_analyst platform.analysts) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('login', p_analyst.login, 'created_at', platform.instant(p_analyst.created_at))
$$;
comment on function platform.analyst_record(platform.analysts) is
  'The binding of an analyst in the form that its digest covers. The chain of its events says which organization and environment the login reads.';
revoke execute on function platform.analyst_record(platform.analysts) from public;
grant execute on function platform.analyst_record(platform.analysts) to selo_system;
