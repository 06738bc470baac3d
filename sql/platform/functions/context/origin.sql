create or replace function platform.origin() returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'request_id', nullif(current_setting('app.request_id', true), ''),
    'address', nullif(current_setting('app.address', true), ''),
    'channel', nullif(current_setting('app.channel', true), ''),
    'agent', nullif(current_setting('app.agent', true), ''),
    'operator', nullif(current_setting('app.operator', true), '')))
$$;
comment on function platform.origin() is 'The origin of this transaction''s request: {request_id, address, channel, agent, operator}, as far as known.';
revoke execute on function platform.origin() from public;
