-- Plain words for a column of migration 0041.
comment on column dns.records.comment is 'Its organization''s own note. Null without one.';
