-- A column without a filter is an expression (see "What plans must not tell" of sql/README.md). An organization has few tokens, so its id needs no index.
create view api.api_tokens as
select
  greatest(token.id) as id,
  token.name || '' as name,
  token.environment || '' as environment,
  token.prefix || '' as prefix,
  token.scopes || '{}'::text[] as scopes,
  token.created_at,
  opened.expires_at,
  opened.revoked_at,
  (select max(used.last_used_at) from platform.actor_uses as used
   where used.tenant_id = token.tenant_id and used.kind = 'token' and used.actor_id = token.id) as last_used_at
from platform.tokens as token
left join lateral (
  select max(credential.expires_at) as expires_at, max(credential.revoked_at) as revoked_at
  from platform.credentials as credential
  where credential.tenant_id = token.tenant_id and credential.kind = 'token' and credential.actor_id = token.id
) as opened on true
where (select platform.may_read('tokens:manage'));
comment on view api.api_tokens is E'@primaryKey id\n@behavior -query:resource:single\n@foreignKey (environment) references platform.environments (name)\n@defaultOrder ID_DESC\nAPI tokens of the organization, of both environments. People manage tokens: no token reads this list.';
comment on column api.api_tokens.id is E'@notNull\n@behavior +orderBy\nId of the token. Ids are time-ordered.';
comment on column api.api_tokens.name is E'@notNull\nName of the token.';
comment on column api.api_tokens.environment is E'@notNull\nThe environment that the token acts in.';
comment on column api.api_tokens.prefix is E'@notNull\nThe first 15 characters of the token. No other part of the token is kept.';
comment on column api.api_tokens.scopes is E'@notNull\nScopes of the token, such as proofs:read: what the token may do. Each service adds its own.';
comment on column api.api_tokens.created_at is E'@notNull\nWhen the token was created (UTC).';
comment on column api.api_tokens.expires_at is 'When the token expires (UTC). Null for a token that never expires.';
comment on column api.api_tokens.revoked_at is 'When the token was revoked (UTC). Null for a token that was not revoked.';
comment on column api.api_tokens.last_used_at is 'When the token was last used (UTC), to about a minute. Null before the first use.';
grant select on api.api_tokens to selo_app;
