create or replace function accounts.uncount_attempt(p_email text, p_network text) returns void
  language sql volatile set search_path = '' as $$
  update platform.request_counts as counted set count = counted.count - 1
  where counted.key in (select limited.key from accounts.attempt_limits(p_email, p_network) as limited) and counted.count > 0
$$;
comment on function accounts.uncount_attempt(text, text) is
  'Gives an attempt back that accounts.count_attempt counted in this transaction: it was right, or is refused unchecked.';
revoke execute on function accounts.uncount_attempt(text, text) from public;
