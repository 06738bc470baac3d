create or replace function accounts.password_parameters(out memory integer, out passes integer, out parallelism integer)
  language sql immutable set search_path = '' as $$
  select 19456, 2, 1
$$;
comment on function accounts.password_parameters() is
  'Parameters of Argon2id for new passwords: 19 MiB, two passes, one lane (OWASP). When they grow, the next sign-in with a password hashes it anew (gateway.renew_password_hash).';
revoke execute on function accounts.password_parameters() from public;
