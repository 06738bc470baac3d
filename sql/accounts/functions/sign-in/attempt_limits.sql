create or replace function accounts.attempt_limits(p_email text, p_network text, p_is_reset boolean default false)
  returns table (key bytea, most integer, seconds integer, is_of_account boolean)
  language sql stable rows 5 set search_path = '' as $$
  select accounts.keyed_digest('attempts of an address', p_network), 20, 900, false where not p_is_reset
  union all
  select accounts.keyed_digest('attempts of an account and address', accounts.email_key(p_email), p_network), 5, 900, true where p_email is not null and not p_is_reset
  union all
  -- Attempts from elsewhere do not lock a person out of an address from which that person signed in within a week.
  select accounts.keyed_digest('attempts of an account', accounts.email_key(p_email)), 50, 3600, true
  where p_email is not null and not p_is_reset and not accounts.signed_in_from(p_email, accounts.keyed_digest('address', p_network))
  union all
  -- Apart from the failures: who failed too often may still ask for a link.
  select accounts.keyed_digest('reset requests of an address', p_network), 20, 900, false where p_is_reset
  union all
  select accounts.keyed_digest('reset requests of an account', accounts.email_key(p_email)), 5, 3600, true where p_is_reset
$$;
comment on function accounts.attempt_limits(text, text, boolean) is
  'What limits the failed attempts with an e-mail address from a network address: the key of each count in platform.request_counts, the most failures, and the seconds of the window. Without an e-mail address, only the network address counts. With p_is_reset the same of requests for a link, each of which counts.';
revoke execute on function accounts.attempt_limits(text, text, boolean) from public;
