create or replace function signature.fields_of_envelope(p_id uuid) returns json
  -- plpgsql, because the view and its wire form are made later than this function.
  language plpgsql stable set search_path = '' as $$
begin
  return (select coalesce(json_agg(gateway.envelope_fields_json(item) order by item.id), '[]') from api.envelope_fields as item where item.envelope_id = p_id);
end
$$;
comment on function signature.fields_of_envelope(uuid) is E'@format envelope_fields\nThe fields of the envelope, in the order of creation.';
revoke execute on function signature.fields_of_envelope(uuid) from public;
