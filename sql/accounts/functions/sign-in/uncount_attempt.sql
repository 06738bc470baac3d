create or replace function accounts.uncount_attempt(p_keys bytea[]) returns void
  language sql volatile set search_path = '' as $$
  update platform.request_counts as counted set count = counted.count - 1
  where counted.key = any (p_keys) and counted.count > 0
$$;
comment on function accounts.uncount_attempt(bytea[]) is
  'Gives an attempt back that accounts.count_attempt counted under these keys in this transaction: it was right, or is refused unchecked.';
revoke execute on function accounts.uncount_attempt(bytea[]) from public;
