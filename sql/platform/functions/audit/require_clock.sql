create or replace function platform.require_clock() returns void
  language plpgsql volatile set search_path = '' as $$
begin
  if clock_timestamp() < platform.newest_instant() - interval '1 second' then
    perform platform.fail(503, 'clock_behind', 'The server''s clock is behind the newest recorded instant; nothing was recorded.');
  end if;
end
$$;
comment on function platform.require_clock() is
  '503 clock_behind while the clock is more than a second before the newest recorded instant: an event of this moment would seem older than the events before it.';
revoke execute on function platform.require_clock() from public;
