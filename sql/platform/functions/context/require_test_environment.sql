create or replace function platform.require_test_environment(p_what text) returns boolean
  language plpgsql stable set search_path = '' as $$
begin
  if platform.environment() is distinct from 'test' then
    return platform.fail(403, 'forbidden', p_what || ' needs a test token.');
  end if;
  return true;
end
$$;
comment on function platform.require_test_environment(text) is
  'True in the test environment, otherwise 403 forbidden. p_what begins the message: it names what a live token does not get.';
revoke execute on function platform.require_test_environment(text) from public;
-- api.test_mails calls this function as the login that reads.
grant execute on function platform.require_test_environment(text) to selo_app;
