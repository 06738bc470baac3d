-- These schemas hold only views and functions. The repeatable step makes the schemas again, with everything in them, when one of these files changes.
create schema api;
create schema analytics;
create schema gateway;
create schema jobs;
comment on schema api is 'The public contract of the product: a view for each resource, a function for each operation.';
comment on schema analytics is 'Roll-up views for analysts.';
comment on schema gateway is 'Functions that the gateway calls: whole requests, halves of commands, list pages.';
comment on schema jobs is 'Functions that the worker calls.';
grant usage on schema api to selo_app, selo_analyst;
grant usage on schema analytics to selo_app, selo_analyst;
grant usage on schema gateway to selo_app;
grant usage on schema jobs to selo_worker;
grant usage, create on schema gateway, jobs to selo_system;
