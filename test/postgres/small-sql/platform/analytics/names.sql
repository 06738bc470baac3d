create view analytics.names as
select organization.name || '' as name
from api.organizations as organization;
grant select on analytics.names to selo_app, selo_analyst;
