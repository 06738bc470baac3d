create view api.proofs as
select
  proof.id,
  proof.file_name,
  proof.file_size
from signature.proofs as proof
where proof.tenant_id = (select platform.tenant_id());
comment on view api.proofs is 'Proofs of the organization.';
comment on column api.proofs.file_size is 'Bytes of the file.';
grant select on api.proofs to selo_app, selo_analyst;
