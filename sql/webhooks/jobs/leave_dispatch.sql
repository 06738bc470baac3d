--! owner selo_system
-- Looks across tenants: dispatchers belong to no tenant, and selo_owner does not write them.
create function jobs.leave_dispatch(p_dispatcher_id uuid) returns void
  language sql volatile security definer set search_path = '' as $$
  delete from webhooks.dispatchers as dispatcher where dispatcher.id = p_dispatcher_id or dispatcher.seen_at < now() - interval '1 day';
$$;
comment on function jobs.leave_dispatch(uuid) is 'Removes a dispatcher that ends, so that no event wakes it.';
revoke execute on function jobs.leave_dispatch(uuid) from public;
grant execute on function jobs.leave_dispatch(uuid) to selo_worker;
