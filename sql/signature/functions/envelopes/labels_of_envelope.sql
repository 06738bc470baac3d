create or replace function signature.labels_of_envelope(p_id uuid) returns json
  -- plpgsql, because the view is made later than this function. Volatile, so that the answer of api.set_envelope_labels, which is written
  -- by the statement that runs that function, has the labels from after it.
  language plpgsql volatile set search_path = '' as $$
begin
  return (
    select coalesce(json_agg(json_build_object('id', item.label_id, 'name', item.name, 'color', item.color, 'created_at', platform.wire_instant(item.created_at))
      order by item.name_key), '[]')
    from api.envelope_labels as item where item.envelope_id = p_id);
end
$$;
comment on function signature.labels_of_envelope(uuid) is E'@format envelope_labels\nThe labels of the envelope, by name.';
revoke execute on function signature.labels_of_envelope(uuid) from public;
