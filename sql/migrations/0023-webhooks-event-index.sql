-- Joins the indexes that 0022 built on the partitions. A partition that was made since then has few rows or none, and gets its own here.
create index attempts_event on webhooks.attempts (tenant_id, event_id, id) where event_id is not null;
