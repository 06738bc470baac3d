create table signature.proofs (
  tenant_id uuid not null references platform.organizations on delete restrict,
  id uuid not null,
  file_name text,
  file_size bigint,
  primary key (tenant_id, id)
);
alter table signature.proofs enable row level security;
alter table signature.proofs force row level security;
create policy tenant on signature.proofs using (tenant_id = (select platform.tenant_id()));
