create or replace function platform.enter_origin(p_origin jsonb) returns void
  language sql volatile set search_path = '' as $$
  select
    set_config('app.request_id', coalesce(p_origin ->> 'request_id', ''), true),
    set_config('app.address', coalesce(p_origin ->> 'address', ''), true),
    set_config('app.channel', coalesce(p_origin ->> 'channel', ''), true),
    set_config('app.agent', coalesce(p_origin ->> 'agent', ''), true),
    -- Only the command line sets the channel cli, and the command line does not call this function.
    set_config('app.operator', '', true),
    -- The log of Postgres shows application_name, and pg_stat_activity shows the name to every login. So the name has only a digest of an id that a caller
    -- wrote (no UUID). Postgres shortens the name to 63 bytes.
    set_config('application_name', 'selo gateway' || coalesce(' ' || case
      when p_origin ->> 'request_id' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}( \+\d+)?$' then p_origin ->> 'request_id'
      else left(encode(sha256(convert_to(p_origin ->> 'request_id', 'UTF8')), 'hex'), 16) end, ''), true)
$$;
comment on function platform.enter_origin(jsonb) is
  'Sets the origin of a request for the rest of the transaction: {request_id, address, channel, agent}. Null ends the origin.';
revoke execute on function platform.enter_origin(jsonb) from public;
