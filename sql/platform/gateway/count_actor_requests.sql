create function gateway.count_actor_requests(
  p_credential_hash bytea, p_requests integer, p_window_seconds integer, out actor text, out count integer, out seconds integer,
  out refusal text
)
  language plpgsql volatile security definer set search_path = '' as $$
begin
  -- The key contains the environment: requests in test do not count against the limit in live.
  select case when found.tenant_id is not null then concat_ws(' ', found.tenant_id, found.environment, found.kind, found.actor_id) end, found.refusal
    into actor, refusal
  from platform.find_credential(p_credential_hash) as found;
  -- An unknown credential gets null and no error: invented credentials must not fill the log or a table.
  if actor is not null then
    select counted.count, counted.seconds into count_actor_requests.count, count_actor_requests.seconds
    from gateway.count_requests(sha256(convert_to(actor, 'UTF8')), p_requests, p_window_seconds) as counted;
  end if;
end
$$;
comment on function gateway.count_actor_requests(bytea, integer, integer) is
  'Counts requests of an actor, with any of its credentials, as count_requests counts the requests of a key. Answers the actor: organization, environment, kind and id. For a credential that is unknown, revoked or expired answers nulls, and the code of the refusal.';
revoke execute on function gateway.count_actor_requests(bytea, integer, integer) from public;
grant execute on function gateway.count_actor_requests(bytea, integer, integer) to selo_app;
