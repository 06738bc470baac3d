create function gateway.call(
  p_credential_hash bytea, p_command text, p_arguments jsonb default '{}', p_status integer default 200,
  p_idempotency_key text default null, p_request_hash bytea default null, p_origin jsonb default null,
  out status integer, out body text, out replayed boolean
)
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_command record;
  v_body json;
  v_claimed boolean := false;
  v_key text := p_idempotency_key;
begin
  perform platform.enter_origin(p_origin);
  if p_credential_hash is not null then
    perform platform.authenticate(p_credential_hash);
    perform platform.require_organization(p_origin ->> 'organization');
  else
    perform platform.refuse_old_snapshot();
    -- A request without a credential has no actor. The settings of the session may still name another actor.
    perform platform.enter_context(null, null, null, null, null);
  end if;
  select command.is_volatile, command.scope, command.shown_once into strict v_command
  from gateway.commands as command where command.name = p_command;
  -- The scope is checked before a replay: a token must not see an answer that the token could not have asked for.
  -- With * any token is enough. The command itself refuses a request without a token, and no answer is kept for such a request.
  if v_command.scope <> '*' then
    perform platform.require_scope(v_command.scope);
  end if;

  replayed := false;
  if v_key is not null then
    -- Tokens of an organization share their Idempotency-Keys, as in v0.1.0. Any other actor has its own keys.
    if coalesce(current_setting('app.actor_kind', true), '') not in ('', 'token') then
      v_key := encode(sha256(convert_to(concat_ws(' ', current_setting('app.actor_kind'), current_setting('app.actor_id'), v_key), 'UTF8')), 'hex');
    end if;
    if v_command.is_volatile then
      v_claimed := platform.claim_idempotency_key(v_key, p_request_hash);
    end if;
    if not v_claimed then
      select kept.status, kept.body into call.status, call.body
      from platform.find_idempotent_answer(v_key, p_request_hash) as kept;
      replayed := status is not null;
    end if;
  end if;

  if not replayed then
    v_body := gateway.run_command(p_command, p_arguments);
    status := p_status;
    body := v_body::text;
    if v_claimed then
      perform platform.store_idempotent_answer(v_key, p_status, v_body, v_command.shown_once);
    end if;
  end if;
  -- The rest of the transaction must not act for this actor.
  perform platform.enter_context(null, null, null, null, null);
  perform platform.enter_origin(null);
end
$$;
comment on function gateway.call(bytea, text, jsonb, integer, text, bytea, jsonb) is
  'One request in one round trip: credential → actor → scope → Idempotency-Key → command → answer. The origin of the request, {request_id, address, channel}, goes into the audit trail. Its member organization is the number in the path of the request, if the path has one: 403 forbidden for another organization''s.';
revoke execute on function gateway.call(bytea, text, jsonb, integer, text, bytea, jsonb) from public;
grant execute on function gateway.call(bytea, text, jsonb, integer, text, bytea, jsonb) to selo_app;
