create or replace function signature.count_proofs() returns bigint
  language sql stable set search_path = '' as $$ select count(*) from signature.proofs $$;
revoke execute on function signature.count_proofs() from public;
