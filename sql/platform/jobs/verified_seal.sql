create function jobs.verified_seal() returns bigint
  language sql stable security definer set search_path = '' as $$
  -- A spoilt setting must not stop the verification, which tells of it.
  select coalesce(substring(platform.setting('audit_verified_seal') from '^[0-9]{1,15}$')::bigint, 0)
$$;
comment on function jobs.verified_seal() is 'The seal up to which the worker verified the signatures of proofs; 0 for none.';
revoke execute on function jobs.verified_seal() from public;
grant execute on function jobs.verified_seal() to selo_worker, selo_system;
