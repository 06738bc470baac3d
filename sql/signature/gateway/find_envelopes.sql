create function gateway.find_envelopes(p_search text, p_page jsonb) returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  -- The gateway's login may call this function directly, and owners of functions believe the settings of the context. api.envelopes asks for the scope.
  if not platform.is_entered() then
    perform platform.refuse_unentered();
  end if;
  return query
    select found.id
    from signature.search_envelopes(platform.tenant_id(), platform.environment(), p_search, null,
      (p_page ->> 'from')::timestamptz, (p_page ->> 'to')::timestamptz, (p_page #>> '{older_than,1}')::uuid, (p_page ->> 'most')::integer,
      jsonb_strip_nulls(p_page - array['from', 'to', 'older_than', 'newer_than', 'most', 'oldest_first', 'label_id']),
      (p_page #>> '{newer_than,1}')::uuid, coalesce((p_page ->> 'oldest_first')::boolean, false), (p_page ->> 'label_id')::uuid) as found;
end
$$;
comment on function gateway.find_envelopes(text, jsonb) is
  'Ids of the envelopes that GraphQL''s envelopes(search:, labelId:) shows on a page: {most, from, to, later_than, until, at, status, older_than, newer_than, oldest_first, label_id}, see signature.search_envelopes. GraphQL reads them through api.envelopes, with its own filters, order and cursors.';
revoke execute on function gateway.find_envelopes(text, jsonb) from public;
grant execute on function gateway.find_envelopes(text, jsonb) to selo_app;
