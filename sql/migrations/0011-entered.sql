-- What a login of ours may say of itself. Until now the password of selo_app was enough to set app.tenant_id and to read as that
-- organization. From here on the settings of a transaction are believed inside our own functions, which set them, and otherwise
-- only beside a code that cannot be made without the key below: gateway.enter makes it, for a credential.
create table secrets.context_key (
  only_row boolean primary key default true check (only_row),
  key bytea not null default extensions.gen_random_bytes(32) check (octet_length(key) = 32)
);
comment on table secrets.context_key is 'Signs the context that gateway.enter makes. Made with the database, new at a restore, in no backup.';
comment on column secrets.context_key.only_row is 'There is one row.';
comment on column secrets.context_key.key is '256 random bits.';
insert into secrets.context_key default values;

-- Bound to the backend and to its transaction, so that a code that was seen is worth nothing anywhere else. JSON, so that no two
-- contexts are written alike.
create function platform.context_mac() returns bytea
  language plpgsql stable parallel restricted set search_path = '' as $$
declare
  v_key bytea;
begin
  select context_key.key into strict v_key from secrets.context_key;
  return extensions.hmac(convert_to(json_build_array(
    current_setting('app.tenant_id', true), current_setting('app.environment', true), current_setting('app.token_id', true),
    current_setting('app.scopes', true), pg_backend_pid(), extract(epoch from transaction_timestamp()))::text, 'UTF8'), v_key, 'sha256');
end
$$;
comment on function platform.context_mac() is 'HMAC-SHA-256 over the context (organization, environment, token, scopes), the backend and the start of its transaction.';
revoke execute on function platform.context_mac() from public;

create function platform.is_entered() returns boolean
  language plpgsql stable parallel restricted security definer set search_path = '' as $$
begin
  return coalesce(current_setting('app.mac', true), '') <> ''
    -- A token that is revoked must not go on reading in a transaction that somebody keeps open.
    and clock_timestamp() < transaction_timestamp() + interval '1 minute'
    -- Hashed first: how long comparing takes tells nothing of the code itself.
    and sha256(convert_to(current_setting('app.mac'), 'UTF8')) = sha256(convert_to(encode(platform.context_mac(), 'hex'), 'UTF8'));
end
$$;
comment on function platform.is_entered() is 'Whether gateway.enter made the context of this transaction as it stands, within the last minute.';
revoke execute on function platform.is_entered() from public;

create function platform.refuse_unentered() returns boolean
  language plpgsql stable set search_path = '' as $$
begin
  return platform.fail(401, 'unauthenticated', 'A valid bearer token is required.');
end
$$;
comment on function platform.refuse_unentered() is '401 unauthenticated: a view is read by a login that has not entered.';
revoke execute on function platform.refuse_unentered() from public;
grant execute on function platform.is_entered(), platform.refuse_unentered() to selo_service, selo_analyst, selo_system;

-- The context functions stay inlinable (no definer, no SET). They themselves ask whether the setting they read is to be believed:
-- asked by the view alone, the setting could be another one by the time row-level security reads it, in the same statement.
create or replace function platform.tenant_id() returns uuid language sql stable parallel restricted
  return case
    when not pg_catalog.pg_has_role(session_user, 'selo_service', 'member') then platform.analyst_tenant_id()
    -- Inside a function of ours, which has set them; and a superuser needs no setting to see everything.
    when current_user = any ('{selo_owner,selo_system,selo_worker}'::name[]) or pg_catalog.current_setting('is_superuser') = 'on'
        or platform.is_entered()
      then nullif(pg_catalog.current_setting('app.tenant_id', true), '')::uuid
  end;
create or replace function platform.environment() returns text language sql stable parallel restricted
  return case
    when not pg_catalog.pg_has_role(session_user, 'selo_service', 'member') then platform.analyst_environment()
    when current_user = any ('{selo_owner,selo_system,selo_worker}'::name[]) or pg_catalog.current_setting('is_superuser') = 'on'
        or platform.is_entered()
      then nullif(pg_catalog.current_setting('app.environment', true), '')
  end;

create or replace function platform.may_read(p_scope text) returns boolean language sql stable parallel restricted
  return case
    -- Inside a command, which runs as the owner and has asked its own scope; or an analyst, who has no token.
    when current_user = 'selo_owner' or not pg_catalog.pg_has_role(session_user, 'selo_service', 'member') then true
    when platform.is_entered() then platform.require_scope(p_scope)
    else platform.refuse_unentered()
  end;
