--! owner selo_system
-- Looks across tenants: the function finds the tenant of a credential.
create or replace function platform.find_credential(
  p_hash bytea, out tenant_id uuid, out environment text, out kind text, out actor_id uuid, out scopes text[], out refusal text
)
  language plpgsql stable security definer set search_path = '' as $$
begin
  -- One statement, since every request begins with it.
  select credential.tenant_id, credential.environment, credential.kind, credential.actor_id,
      case credential.scopes_from
        -- The scopes of a token were checked when the token was made.
        when 'token' then (
          select token.scopes from platform.tokens as token
          where token.tenant_id = credential.tenant_id and token.id = credential.actor_id)
        else platform.scopes_of(credential)
      end
    into find_credential.tenant_id, find_credential.environment, find_credential.kind, find_credential.actor_id, find_credential.scopes
  from platform.credentials as credential
  where credential.digest = sha256(p_hash)
    and credential.revoked_at is null
    and (credential.expires_at is null or credential.expires_at > clock_timestamp());
  -- The actor of the credential is gone.
  if scopes is null then
    tenant_id := null;
    environment := null;
    kind := null;
    actor_id := null;
    -- A person learns that a session ran out. Any other credential is refused alike, whatever became of it.
    refusal := case when exists (
      select from platform.credentials as credential
      where credential.digest = sha256(p_hash) and credential.kind = 'user' and credential.revoked_at is null
        and credential.expires_at <= clock_timestamp() and platform.scopes_of(credential) is not null)
      then 'session_expired' else 'unauthenticated' end;
  end if;
end
$$;
comment on function platform.find_credential(bytea) is
  'The actor behind a credential''s SHA-256. All null for a credential that is unknown, revoked or expired. All null also for a credential whose actor is gone. refusal then has the code of the refusal: session_expired for the session of a person that ran out, unauthenticated otherwise.';
revoke execute on function platform.find_credential(bytea) from public;
grant execute on function platform.find_credential(bytea) to selo_owner;
