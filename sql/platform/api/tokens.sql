-- A column without a filter is an expression, as in api.proofs. An organization has few tokens, so its id needs no index.
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
comment on view api.tokens is E'@primaryKey id\n@behavior -query:resource:connection -query:resource:list -query:resource:single\nAPI tokens of this environment, by the names that they were given. The actor_id of the audit trail is the id of a token.';
comment on column api.tokens.id is E'@notNull\nThe token.';
comment on column api.tokens.name is E'@notNull\nThe name that it was given.';
comment on column api.tokens.prefix is E'@notNull\nIts first 15 characters. No other part of a token is kept.';
comment on column api.tokens.scopes is E'@notNull\nWhat it may do.';
comment on column api.tokens.created_at is E'@notNull\nWhen it was made (UTC).';
comment on column api.tokens.expires_at is 'From then on it is refused (UTC); null: never.';
comment on column api.tokens.revoked_at is 'When it was revoked (UTC); null while it is good.';
comment on column api.tokens.last_used_at is 'When it was last used (UTC), to about a minute; null before the first use.';
grant select on api.tokens to selo_app, selo_analyst;
