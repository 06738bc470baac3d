create or replace function platform.authenticate(p_credential_hash bytea) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_actor record;
begin
  perform platform.refuse_old_snapshot();
  select actor.tenant_id, actor.environment, actor.kind, actor.actor_id, actor.scopes, actor.refusal
    into v_actor from platform.find_credential(p_credential_hash) as actor;
  if v_actor.refusal = 'session_expired' then
    perform platform.fail(401, 'session_expired', 'The session has run out. Sign in again.');
  elsif v_actor.tenant_id is null then
    perform platform.fail(401, 'unauthenticated', 'The bearer token is missing, unknown, revoked or expired.');
  end if;
  perform platform.enter_context(v_actor.tenant_id, v_actor.environment, v_actor.kind, v_actor.actor_id, v_actor.scopes);
end
$$;
comment on function platform.authenticate(bytea) is 'Enters the context of the actor whose credential has this SHA-256, or 401 unauthenticated. 401 session_expired for the session of a person that ran out.';
revoke execute on function platform.authenticate(bytea) from public;
