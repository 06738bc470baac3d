create view api.organizations as
select
  organization.id,
  organization.name
from platform.organizations as organization
where organization.id = (select platform.tenant_id());
grant select on api.organizations to selo_app, selo_analyst;
