create or replace function signature.most_package_tries() returns integer
  language sql immutable set search_path = '' as $$ select 14 $$;
comment on function signature.most_package_tries() is 'The attempts of a delivery before it fails.';
revoke execute on function signature.most_package_tries() from public;
