create or replace function accounts.audit_actions() returns table (action text, says text)
  language sql immutable set search_path = '' as $$
  values ('user.joined', 'made'), ('user.rejoined', 'changed'), ('user.role_changed', 'changed'), ('user.removed', 'changed'), ('user.left', 'changed'),
    ('user.signed_in', 'changed'), ('user.signed_out', 'changed'), ('user.password_set', 'changed'),
    ('user.password_hashed', 'changed'), ('user.changed', 'changed'), ('user.link_made', 'changed'),
    ('user.sessions_forgotten', 'changed'),
    ('user.factor_added', 'changed'), ('user.factor_removed', 'changed'), ('user.recovery_codes_made', 'changed'), ('user.recovery_code_used', 'changed'),
    ('user.passkey_added', 'changed'), ('user.passkey_removed', 'changed'),
    ('invitation.made', 'made'), ('invitation.sent_again', 'changed'), ('invitation.accepted', 'gone'), ('invitation.withdrawn', 'gone'), ('invitation.expired', 'gone')
$$;
comment on function accounts.audit_actions() is 'See platform.audit_actions.';
revoke execute on function accounts.audit_actions() from public;
grant execute on function accounts.audit_actions() to selo_system;
