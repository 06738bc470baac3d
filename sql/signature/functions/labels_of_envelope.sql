create or replace function signature.labels_of_envelope(p_id uuid) returns json
  language sql immutable set search_path = '' as $$
  select json_build_array()
$$;
comment on function signature.labels_of_envelope(uuid) is E'@format envelope_labels\nThe labels of the envelope. Labels do not exist yet, so the list is always empty.';
revoke execute on function signature.labels_of_envelope(uuid) from public;
