create function platform.tenant_id() returns uuid
  language sql stable parallel safe as $$ select nullif(current_setting('app.tenant_id', true), '')::uuid $$;

create table platform.settings (name text primary key, value text not null);
insert into platform.settings (name, value) values ('public_url', 'http://selo.test');

create table platform.organizations (id uuid primary key default gen_random_uuid(), name text not null);
alter table platform.organizations enable row level security;
alter table platform.organizations force row level security;
create policy tenant on platform.organizations using (id = (select platform.tenant_id()));

create table platform.statuses (name text primary key);
insert into platform.statuses (name) values ('KEPT');
grant select on platform.statuses to selo_system;
