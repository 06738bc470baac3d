-- No login may read this view: people are personal data, and no plan may tell anything of them. Commands answer its rows.
create view api.members as
select listed.id, listed.email, listed.name, listed.role, accounts.second_factor_of((select platform.tenant_id()), accounts.factor_of(listed.id)) as second_factor, listed.joined_at, listed.last_used_at
from accounts.list_users((select platform.tenant_id())) as listed
where (select platform.may_read('members:read'));
comment on view api.members is E'@primaryKey id\n@behavior -query:resource:connection -query:resource:list -query:resource:single\n@foreignKey (role) references accounts.roles (name)\nMembers of the organization.';
comment on column api.members.id is E'@notNull\nThe person. The actor_id of an audit event that a person caused is this id.';
comment on column api.members.email is E'@notNull\nE-mail address, with which the person signs in.';
comment on column api.members.name is E'@notNull\nName of the person.';
comment on column api.members.role is E'@notNull\nRole in the organization.';
comment on column api.members.second_factor is E'@notNull\nThe second factor of the person: totp (an authenticator app), passkey or none; missing where the organization demands one.';
comment on column api.members.joined_at is E'@notNull\nWhen the person joined the organization (UTC).';
comment on column api.members.last_used_at is 'When the person last used the organization (UTC), to about a minute. Null before the first use.';
