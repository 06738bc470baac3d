create or replace function signature.most_completion_attempts() returns integer
  language sql immutable set search_path = '' as $$
  -- graphile-worker waits e^n seconds after attempt n: 29 minutes before the eighth, 78 before the ninth.
  select 8
$$;
comment on function signature.most_completion_attempts() is 'How many attempts to complete an envelope may fail: as many as begin within an hour.';
revoke execute on function signature.most_completion_attempts() from public;
