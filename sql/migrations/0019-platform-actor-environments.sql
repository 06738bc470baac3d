-- An actor is an organization, an environment, a kind and an id. A user acts in live and in test: in each of them he has his own
-- last use, as he has his own limit of requests.

-- A constant default rewrites nothing. A service whose migration adds a kind without a word gets the stricter check.
alter table platform.actor_kinds add column spans_environments boolean not null default false;
comment on column platform.actor_kinds.spans_environments is
  'Whether an actor of this kind acts in live and in test. An actor of any other kind acts in the environment of its record alone.';
update platform.actor_kinds set spans_environments = true where name in ('user', 'operator', 'system');

-- The table has one small row for each actor. Requests read none of them: uses are written once a minute, and `selo token list` reads them.
-- No row has an environment yet, and nobody writes to platform.environments.
-- squawk-ignore adding-foreign-key-constraint
alter table platform.actor_uses add column environment text references platform.environments on delete restrict;
alter table platform.actor_uses drop constraint actor_uses_pkey;
comment on column platform.actor_uses.environment is 'The environment that it acted in.';
comment on table platform.actor_uses is 'When each actor was last there, with any of its credentials.';

-- A token has one credential, which knows the environment. Of an actor with credentials of both environments nothing tells them
-- apart, so both get its use. An actor without any credential is gone.
grant delete on platform.actor_uses to selo_system;
set local role selo_system;
insert into platform.actor_uses (tenant_id, kind, actor_id, environment, last_used_at)
select distinct used.tenant_id, used.kind, used.actor_id, credential.environment, used.last_used_at
from platform.actor_uses as used
join platform.credentials as credential
  on credential.tenant_id = used.tenant_id and credential.kind = used.kind and credential.actor_id = used.actor_id;
delete from platform.actor_uses as used where used.environment is null;
set local role selo_owner;
revoke delete on platform.actor_uses from selo_system;

-- The table is locked by its first change already.
-- squawk-ignore adding-not-nullable-field
alter table platform.actor_uses alter column environment set not null;
-- squawk-ignore adding-serial-primary-key-field, constraint-missing-not-valid
alter table platform.actor_uses add primary key (tenant_id, kind, actor_id, environment);
comment on column platform.request_counts.key is
  'Who asked: HMAC-SHA-256 of the address, which is not kept, or SHA-256 of the actor''s organization, environment, kind and id.';
