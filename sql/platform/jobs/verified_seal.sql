create function jobs.verified_seal() returns bigint
  language sql stable security definer set search_path = '' as $$
  -- A tampered setting must not stop the verification. The verification reports the setting as a fault.
  select coalesce(substring(platform.setting('audit_verified_seal') from '^[0-9]{1,15}$')::bigint, 0)
$$;
comment on function jobs.verified_seal() is 'The seal up to which the worker verified all signatures. 0 before the first verification.';
revoke execute on function jobs.verified_seal() from public;
grant execute on function jobs.verified_seal() to selo_worker, selo_system;
