--! owner selo_system
-- Looks across tenants: people belong to no organization.
create or replace function accounts.member_record(p_member accounts.memberships) returns text
  language sql stable security definer set search_path = '' as $$
  select platform.record_digest(p_member.record_salt, jsonb_build_object(
    'person_id', person.id, 'role', p_member.role, 'joined_at', platform.instant(p_member.joined_at), 'removed_at', platform.instant(p_member.removed_at),
    'email', person.email, 'name', person.name, 'language', person.language, 'created_at', platform.instant(person.created_at),
    'password_salt', encode(person.password_salt, 'hex'), 'password_memory', person.password_memory, 'password_passes', person.password_passes,
    'password_parallelism', person.password_parallelism, 'password_digest', encode(person.password_digest, 'hex'),
    'credentials', (
      select coalesce(jsonb_agg(jsonb_build_object('digest', encode(credential.digest, 'hex'), 'environment', credential.environment,
        'scopes_from', credential.scopes_from, 'scopes', to_jsonb(credential.scopes),
        'expires_at', platform.instant(credential.expires_at), 'revoked_at', platform.instant(credential.revoked_at)) order by credential.digest), '[]')
      from platform.credentials as credential
      where credential.tenant_id = p_member.tenant_id and credential.kind = 'user' and credential.actor_id = p_member.person_id))
    -- The record of a person without a second factor is as it was before there were any.
    || coalesce((
      select jsonb_build_object('totp', jsonb_build_object('id', factor.id, 'secret_digest', encode(factor.secret_digest, 'hex'),
        'confirmed_at', platform.instant(factor.confirmed_at),
        'recovery_codes', (select coalesce(jsonb_agg(encode(code.digest, 'hex') order by code.digest), '[]')
          from accounts.recovery_codes as code where code.factor_id = factor.id)))
      from accounts.totp_factors as factor where factor.person_id = p_member.person_id and factor.confirmed_at is not null), '{}')
    || coalesce((
      select jsonb_build_object('passkeys', jsonb_agg(jsonb_build_object('id', passkey.id, 'name', passkey.name, 'credential_id', encode(passkey.credential_id, 'hex'),
        'public_key', encode(passkey.public_key, 'hex'), 'secret_digest', encode(passkey.secret_digest, 'hex')) order by passkey.id))
      from accounts.passkeys as passkey where passkey.person_id = p_member.person_id having count(*) > 0), '{}'))
  from accounts.people as person where person.id = p_member.person_id
$$;
comment on function accounts.member_record(accounts.memberships) is
  'The salted digest of a member, as the audit trail holds it: of the membership, of the person and the second factors, and of the credentials of the person''s sessions in this organization.';
revoke execute on function accounts.member_record(accounts.memberships) from public;
grant execute on function accounts.member_record(accounts.memberships) to selo_owner;
