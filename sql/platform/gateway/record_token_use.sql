create function gateway.record_token_use(p_hashes bytea[]) returns void
  language sql volatile security definer set search_path = '' as $$
  select gateway.record_actor_use(p_hashes)
$$;
comment on function gateway.record_token_use(bytea[]) is
  'record_actor_use in the form that gateways of v0.1.0 call. Kept for one release; removed in the next release.';
revoke execute on function gateway.record_token_use(bytea[]) from public;
grant execute on function gateway.record_token_use(bytea[]) to selo_app;
