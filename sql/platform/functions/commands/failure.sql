create or replace function platform.failure(p_status integer, p_code text, p_message text, p_fields jsonb default null) returns json
  language sql immutable parallel safe set search_path = '' as $$
  select json_build_object('code', 'PT' || p_status, 'message', p_message,
    'detail', jsonb_strip_nulls(jsonb_build_object('code', p_code, 'fields', p_fields))::text)
$$;
comment on function platform.failure(integer, text, text, jsonb) is
  'A documented error as a row, for one item of a batch whose other items continue. platform.fail raises the same error.';
revoke execute on function platform.failure(integer, text, text, jsonb) from public;
