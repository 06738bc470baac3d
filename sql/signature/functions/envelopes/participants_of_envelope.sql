create or replace function signature.participants_of_envelope(p_id uuid) returns json
  -- plpgsql, because the view and its wire form are made later than this function.
  language plpgsql stable set search_path = '' as $$
begin
  return (select coalesce(json_agg(gateway.envelope_participants_json(item) order by item.id), '[]') from api.envelope_participants as item where item.envelope_id = p_id);
end
$$;
comment on function signature.participants_of_envelope(uuid) is E'@format envelope_participants\nThe participants of the envelope, in the order of creation.';
revoke execute on function signature.participants_of_envelope(uuid) from public;
