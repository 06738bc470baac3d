create view api.webhook_event_kinds as
select kind.name, kind.description, kind.data_schema
from webhooks.event_kinds as kind;
comment on view api.webhook_event_kinds is E'@anyone\n@primaryKey name\nKinds of events to which an endpoint can subscribe.';
comment on column api.webhook_event_kinds.name is E'@notNull\nName of the kind: the type of its events.';
comment on column api.webhook_event_kinds.description is E'@notNull\nWhat events of this kind mean.';
comment on column api.webhook_event_kinds.data_schema is E'@notNull\nJSON Schema (2020-12) of the event''s data.';
grant select on api.webhook_event_kinds to selo_app, selo_analyst;
