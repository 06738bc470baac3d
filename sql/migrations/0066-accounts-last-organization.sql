-- Accounts: which organization a person opened last, also once all sessions of the person are forgotten.
alter table accounts.people add column last_tenant_id uuid;
comment on column accounts.people.last_tenant_id is 'The organization that the person opened last. Null before the first session. Only compared with the organizations of the person, so without a foreign key.';
