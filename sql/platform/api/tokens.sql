-- A column without a filter is an expression (see "What plans must not tell" of sql/README.md). An organization has few tokens, so its id needs no index.
create view api.tokens as
select
  greatest(token.id) as id,
  token.name || '' as name,
  token.prefix || '' as prefix,
  token.scopes || '{}'::text[] as scopes,
  token.created_at,
  (select max(credential.expires_at) from platform.credentials as credential
   where credential.tenant_id = token.tenant_id and credential.kind = 'token' and credential.actor_id = token.id) as expires_at,
  (select max(credential.revoked_at) from platform.credentials as credential
   where credential.tenant_id = token.tenant_id and credential.kind = 'token' and credential.actor_id = token.id) as revoked_at,
  (select max(used.last_used_at) from platform.actor_uses as used
   where used.tenant_id = token.tenant_id and used.kind = 'token' and used.actor_id = token.id) as last_used_at
from platform.tokens as token
where token.environment = (select platform.environment()) and (select platform.may_read('audit:read'));
comment on view api.tokens is E'@primaryKey id\n@behavior -query:resource:connection -query:resource:list -query:resource:single\nAPI tokens of this environment, with their names. The actor_id of an audit event that a token caused is the id of that token.';
comment on column api.tokens.id is E'@notNull\nId of the token.';
comment on column api.tokens.name is E'@notNull\nName of the token.';
comment on column api.tokens.prefix is E'@notNull\nThe first 15 characters of the token. No other part of the token is kept.';
comment on column api.tokens.scopes is E'@notNull\nScopes of the token, such as proofs:read: what the token may do. Each service adds its own.';
comment on column api.tokens.created_at is E'@notNull\nWhen the token was created (UTC).';
comment on column api.tokens.expires_at is 'When the token expires (UTC). Null for a token that never expires.';
comment on column api.tokens.revoked_at is 'When the token was revoked (UTC). Null for a token that was not revoked.';
comment on column api.tokens.last_used_at is 'When the token was last used (UTC), to about a minute. Null before the first use.';
grant select on api.tokens to selo_app, selo_analyst;
