-- Analysts are not given this view: addresses are personal data. No column is bare (see "What plans must not tell" of sql/README.md).
create view api.invitations as
select
  greatest(invitation.id) as id,
  invitation.email || '' as email,
  invitation.role || '' as role,
  greatest(invitation.invited_by) as invited_by,
  greatest(invitation.created_at) as created_at,
  greatest(invitation.sent_at) as sent_at,
  greatest(invitation.expires_at) as expires_at
from accounts.invitations as invitation
where (select platform.may_read('members:read'));
comment on view api.invitations is E'@primaryKey id\n@behavior -query:resource:connection -query:resource:list -query:resource:single\n@foreignKey (role) references accounts.roles (name)\nInvitations to the organization that wait.';
comment on column api.invitations.id is E'@notNull\nThe invitation.';
comment on column api.invitations.email is E'@notNull\nE-mail address of the person who is invited.';
comment on column api.invitations.role is E'@notNull\nThe role that the person gets.';
comment on column api.invitations.invited_by is E'@notNull\nThe member who invites.';
comment on column api.invitations.created_at is E'@notNull\nWhen the person was invited (UTC).';
comment on column api.invitations.sent_at is E'@notNull\nWhen the invitation was sent last (UTC). It can be sent again a minute later.';
comment on column api.invitations.expires_at is E'@notNull\nFrom then on the link is refused (UTC). Sent again, the invitation gets a new link.';
grant select on api.invitations to selo_app;
