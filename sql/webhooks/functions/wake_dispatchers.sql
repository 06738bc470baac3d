create or replace function webhooks.wake_dispatchers() returns void
  language plpgsql volatile set search_path = '' as $$
begin
  -- Busy dispatchers look for deliveries again without a notification.
  if exists (select from webhooks.dispatchers as dispatcher where dispatcher.is_idle and dispatcher.seen_at > now() - interval '1 minute') then
    perform pg_notify('webhook_deliveries', '');
  end if;
end
$$;
comment on function webhooks.wake_dispatchers() is 'Wakes idle dispatchers when this transaction has committed.';
revoke execute on function webhooks.wake_dispatchers() from public;
