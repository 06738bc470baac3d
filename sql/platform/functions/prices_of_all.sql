create or replace function platform.prices_of_all() returns table (reason text, kind text, each bigint, action text)
  language plpgsql stable set search_path = '' as $$
declare
  v_service text;
begin
  for v_service in
    select hook.service from platform.service_functions('prices') as hook where hook.name = ''
  loop
    return query execute format('select price.reason, price.kind, price.each, price.action from %I.prices() as price', v_service);
  end loop;
end
$$;
comment on function platform.prices_of_all() is 'What each service takes credits for: <service>.prices().';
revoke execute on function platform.prices_of_all() from public;
grant execute on function platform.prices_of_all() to selo_system;
