create or replace function platform.refuse_old_snapshot() returns void
  language plpgsql stable set search_path = '' as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'requests run in transactions that read what is committed (read committed)';
  end if;
end
$$;
comment on function platform.refuse_old_snapshot() is
  'Ends a transaction of another isolation level than read committed: with a snapshot from before a credential, a right or a factor ended, it would still hold.';
revoke execute on function platform.refuse_old_snapshot() from public;
