-- A column without a filter is an expression (see "What plans must not tell" of sql/README.md). An organization has few keys, so its id needs no index.
create view api.dns_keys as
select
  key.id + 0 as id,
  key.name || '' as name,
  key.prefix || '' as prefix,
  (select array_agg(distinct scope order by scope)
   from platform.credentials as credential cross join lateral unnest(credential.scopes) as scope
   where credential.tenant_id = key.tenant_id and credential.kind = 'api_key' and credential.actor_id = key.actor_id) as scopes,
  case when key.zones is not null then key.zones || '{}'::integer[] end as zones,
  key.acme_only is true as acme_only,
  key.created_at,
  (select max(used.last_used_at) from platform.actor_uses as used
   where used.tenant_id = key.tenant_id and used.kind = 'api_key' and used.actor_id = key.actor_id) as last_used_at,
  (select max(credential.revoked_at) from platform.credentials as credential
   where credential.tenant_id = key.tenant_id and credential.kind = 'api_key' and credential.actor_id = key.actor_id) as revoked_at
from dns.api_keys as key
where (select platform.may_read('dns_keys:manage'));
comment on view api.dns_keys is E'@primaryKey id\n@behavior -query:resource:single\n@defaultOrder ID_DESC\nAPI keys of DNS, which act in live alone. People manage keys: no token reads this list.';
comment on column api.dns_keys.id is E'@notNull\n@behavior +orderBy\nId of the key. Later keys have higher ids.';
comment on column api.dns_keys.name is E'@notNull\nName of the key.';
comment on column api.dns_keys.prefix is E'@notNull\nThe beginning of the key: `dns_` and eight hexadecimal digits. No other part of the key is kept.';
comment on column api.dns_keys.scopes is E'@notNull\nScopes of the key: what the key may do. Those of DNS are zone:read, zone:write, record:read and record:write.';
comment on column api.dns_keys.zones is 'Ids of the zones that the key is limited to. Null for a key of all zones.';
comment on column api.dns_keys.acme_only is E'@notNull\nWhether the key only writes TXT records of `_acme-challenge`.';
comment on column api.dns_keys.created_at is E'@notNull\nWhen the key was created (UTC).';
comment on column api.dns_keys.last_used_at is 'When the key was last used (UTC), to about a minute. Null before the first use.';
comment on column api.dns_keys.revoked_at is 'When the key was revoked (UTC). Null for a key that was not revoked.';
grant select on api.dns_keys to selo_app;
