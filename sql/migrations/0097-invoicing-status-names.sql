-- GraphQL has the states of an invoice as an enum. Only its name is said beside the table: running gateways and functions go on naming invoicing.statuses.
comment on table invoicing.statuses is E'@enum\n@enumName InvoiceStatus\nState of an invoice.';
grant select on invoicing.statuses to selo_app;
