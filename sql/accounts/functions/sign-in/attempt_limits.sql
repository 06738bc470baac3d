create or replace function accounts.attempt_limits(p_email text, p_network text)
  returns table (key bytea, most integer, seconds integer, is_of_account boolean)
  language sql stable set search_path = '' as $$
  select accounts.keyed_digest('attempts of an address', p_network), 20, 900, false
  union all
  select accounts.keyed_digest('attempts of an account and address', lower(p_email), p_network), 5, 900, true where p_email is not null
  union all
  -- Attempts from elsewhere do not lock a person out of an address from which that person signed in within a week.
  select accounts.keyed_digest('attempts of an account', lower(p_email)), 50, 3600, true
  where p_email is not null and not accounts.signed_in_from(p_email, accounts.keyed_digest('address', p_network))
$$;
comment on function accounts.attempt_limits(text, text) is
  'What limits the failed attempts with an e-mail address from a network address: the key of each count in platform.request_counts, the most failures, and the seconds of the window. Without an e-mail address, only the network address counts.';
revoke execute on function accounts.attempt_limits(text, text) from public;
