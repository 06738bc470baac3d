create or replace function accounts.is_password_old(p_person accounts.people) returns boolean
  language sql stable set search_path = '' as $$
  select (p_person.password_memory, p_person.password_passes, p_person.password_parallelism) is distinct from (parameters.memory, parameters.passes, parameters.parallelism)
  from accounts.password_parameters() as parameters
$$;
comment on function accounts.is_password_old(accounts.people) is
  'Whether a password was hashed with other parameters than accounts.password_parameters, which have grown since.';
revoke execute on function accounts.is_password_old(accounts.people) from public;
