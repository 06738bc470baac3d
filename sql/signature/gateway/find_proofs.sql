create function gateway.find_proofs(p_search text, p_page jsonb) returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  -- The gateway's login may call this function directly, and owners of functions believe the settings of the context. api.proofs asks for the scope.
  if not platform.is_entered() then
    perform platform.refuse_unentered();
  end if;
  return query
    select found.id
    from signature.search_proofs_within(platform.tenant_id(), platform.environment(), p_search,
      (p_page ->> 'from')::timestamptz, (p_page ->> 'to')::timestamptz, (p_page #>> '{older_than,0}')::timestamptz, (p_page #>> '{older_than,1}')::uuid,
      (p_page ->> 'most')::integer, (p_page ->> 'later_than')::timestamptz, (p_page ->> 'until')::timestamptz,
      (select array_agg(instant.text::timestamptz) from jsonb_array_elements_text(p_page -> 'at') as instant (text)),
      (p_page #>> '{newer_than,0}')::timestamptz, (p_page #>> '{newer_than,1}')::uuid, coalesce((p_page ->> 'oldest_first')::boolean, false)) as found;
end
$$;
comment on function gateway.find_proofs(text, jsonb) is
  'Ids of the proofs that GraphQL''s proofs(search:) shows on a page: {most, from, to, later_than, until, at, older_than, newer_than, oldest_first}, see signature.search_proofs_within. GraphQL reads them through api.proofs, with its own filters, order and cursors.';
revoke execute on function gateway.find_proofs(text, jsonb) from public;
grant execute on function gateway.find_proofs(text, jsonb) to selo_app;
