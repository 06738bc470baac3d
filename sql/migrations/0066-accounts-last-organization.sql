-- Accounts: which organization a person opened last, also once all sessions of the person are forgotten.
-- The table is small.
-- squawk-ignore adding-foreign-key-constraint
alter table accounts.people add column last_tenant_id uuid references platform.organizations on delete restrict;
comment on column accounts.people.last_tenant_id is 'The organization that the person opened last. Null before the first session.';
