create function gateway.record_token_use(p_hashes bytea[]) returns void
  language sql volatile security definer set search_path = '' as $$
  select gateway.record_actor_use(p_hashes)
$$;
comment on function gateway.record_token_use(bytea[]) is
  'record_actor_use as gateways of v0.1.0 call it. Kept for one release; gone with the release after this one.';
revoke execute on function gateway.record_token_use(bytea[]) from public;
grant execute on function gateway.record_token_use(bytea[]) to selo_app;
