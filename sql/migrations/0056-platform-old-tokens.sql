-- What was kept for gateways of v0.1.0: credentials stand in platform.credentials, and the last use of actors in platform.actor_uses.
drop trigger to_credential on platform.tokens;
drop function platform.carry_token();
-- squawk-ignore ban-drop-table
drop table platform.token_hashes;
drop function platform.carry_token_hash();
drop function platform.find_token(bytea);
-- squawk-ignore ban-drop-column
alter table platform.tokens drop column expires_at, drop column revoked_at, drop column last_used_at;

-- Whoever acts is in app.actor_id: only v0.1.0 entered with app.token_id, and without a kind. The code of a token stays what it was,
-- because a transaction that is entered before this migration goes on after it.
create or replace function platform.context_mac() returns bytea
  language plpgsql stable parallel restricted set search_path = '' as $$
declare
  c_kind constant text := coalesce(current_setting('app.actor_kind', true), '');
  v_key bytea;
begin
  select context_key.key into strict v_key from secrets.context_key;
  return extensions.hmac(convert_to(json_build_array(
    current_setting('app.tenant_id', true), current_setting('app.environment', true), current_setting('app.actor_id', true),
    current_setting('app.scopes', true), pg_backend_pid(), extract(epoch from transaction_timestamp()))::text
    || case when c_kind = 'token' then '' else json_build_array(c_kind)::text end, 'UTF8'), v_key, 'sha256');
end
$$;
