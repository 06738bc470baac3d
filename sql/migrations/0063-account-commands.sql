-- What people do themselves: API tokens, keys of DNS, the organization, their own account (message-webhooks part B §5).
update platform.scopes as known set grants = 'read the settings of the organization, and list its members' where known.name = 'members:read';
-- DNS has no test environment, and neither have its keys.
update accounts.role_scopes as held set is_live_only = true where held.scope = 'dns_keys:manage';
