create or replace function signature.documents_of_envelope(p_id uuid) returns json
  -- plpgsql, because the view and its wire form are made later than this function.
  language plpgsql stable set search_path = '' as $$
begin
  return (select coalesce(json_agg(gateway.envelope_documents_json(item) order by item.position), '[]') from api.envelope_documents as item where item.envelope_id = p_id);
end
$$;
comment on function signature.documents_of_envelope(uuid) is E'@format envelope_documents\nThe documents of the envelope, in order.';
revoke execute on function signature.documents_of_envelope(uuid) from public;
