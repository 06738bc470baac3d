create or replace function webhooks.refuse_loopback() returns void
  language plpgsql stable set search_path = '' as $$
begin
  if platform.environment() <> 'test' then
    perform platform.fail(422, 'invalid_request', 'The request is not valid; fields names each wrong member.', '[{"field": "url", "message": "must be an https:// address; only test tokens may use an address of this machine"}]');
  end if;
end
$$;
comment on function webhooks.refuse_loopback() is 'Refuses http:// addresses of this machine outside of the test environment: 422 invalid_request.';
revoke execute on function webhooks.refuse_loopback() from public;
