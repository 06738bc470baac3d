create or replace function platform.analyst_state(p_id uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('record_sha256', platform.record_digest(analyst.record_salt, platform.analyst_record(analyst)))
  from platform.analysts as analyst where analyst.id = p_id
$$;
comment on function platform.analyst_state(uuid) is 'The part of an analyst''s events that describes the binding: {record_sha256}.';
revoke execute on function platform.analyst_state(uuid) from public;
