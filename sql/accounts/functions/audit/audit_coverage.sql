create or replace function accounts.audit_coverage() returns table (table_name text, column_name text, check_name text, how text)
  language sql immutable set search_path = '' as $$
  select covered.table_name, named.column_name, covered.check_name, covered.how
  from (values
    ('accounts.people', '{id,email,name,language,password_salt,password_memory,password_passes,password_parallelism,password_digest,created_at}', 'records',
      'part of the digest of each membership of the person'),
    ('accounts.people', '{last_tenant_id}', null, 'a sign-in opens another organization of the person'),
    ('accounts.memberships', '{tenant_id,person_id,role,joined_at,removed_at,record_salt}', 'records', 'compared with the salted digest in the last event of the member, which also covers the credentials of sessions'),
    ('accounts.invitations', '{tenant_id,id,email,role,invited_by,link_id,digest,created_at,sent_at,expires_at,record_salt}', 'records', 'compared with the salted digest in the last event of the invitation'),
    ('accounts.invitations', '{is_open}', null, 'a link can be used before its mail is composed, or not yet'),
    ('accounts.sessions', '{id,person_id,tenant_id,live_digest,test_digest,address_digest,user_agent,way,created_at,expires_at,ended_at}', null,
      'a session is not ended with the others, is forgotten late, or changes second factors that it must not; a locked-out person may try again from another address. What opens the session is covered by the digest of the membership'),
    ('accounts.password_links', '{id,person_id,digest,created_at,expires_at,is_open,is_mailed}', null, 'a link sets the password of another person, or is refused; setting a password has its event'),
    ('accounts.totp_factors', '{id,person_id,secret_digest,confirmed_at}', 'records', 'part of the digest of each membership of the person'),
    ('accounts.totp_factors', '{sealed_secret,last_step,created_at}', null,
      'a code is accepted twice, or refused. The secret is covered by its digest, and its encrypted form changes when the master key is rotated'),
    ('accounts.recovery_codes', '{factor_id,digest}', 'records', 'part of the digest of each membership of the person'),
    ('accounts.passkeys', '{id,person_id,name,credential_id,public_key,secret_digest}', 'records', 'part of the digest of each membership of the person'),
    ('accounts.passkeys', '{counter,transports,sealed_secret,created_at,last_used_at}', null,
      'a copied passkey is found later, or a passkey is refused. The secret is covered by its digest, and its encrypted form changes when the master key is rotated'),
    ('accounts.sign_in_rules', '{tenant_id,demands_second_factor}', null,
      'people without a second factor get scopes, or get none. The last event of the organization about its rules says what was set'),
    ('accounts.roles', '{name,rank,description}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('accounts.role_scopes', '{role,scope,is_live_only}', 'reference_data', 'compared with a digest of the rows, recorded after each migration')
  ) as covered (table_name, columns, check_name, how)
  cross join lateral unnest(covered.columns::text[]) as named (column_name)
$$;
comment on function accounts.audit_coverage() is 'See platform.audit_coverage.';
revoke execute on function accounts.audit_coverage() from public;
