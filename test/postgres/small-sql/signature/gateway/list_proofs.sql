create function gateway.list_proofs() returns setof api.proofs
  language sql stable security definer set search_path = '' as $$ select * from api.proofs where platform.allow_anyone() $$;
grant execute on function gateway.list_proofs() to selo_app;
