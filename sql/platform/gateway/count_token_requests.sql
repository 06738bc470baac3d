create function gateway.count_token_requests(
  p_credential_hash bytea, p_requests integer, p_window_seconds integer, out count integer, out seconds integer
)
  language sql volatile security definer set search_path = '' as $$
  select counted.count, counted.seconds from gateway.count_actor_requests(p_credential_hash, p_requests, p_window_seconds) as counted
$$;
comment on function gateway.count_token_requests(bytea, integer, integer) is
  'count_actor_requests in the form that gateways of v0.1.0 call. Kept for one release; removed in the next release.';
revoke execute on function gateway.count_token_requests(bytea, integer, integer) from public;
grant execute on function gateway.count_token_requests(bytea, integer, integer) to selo_app;
