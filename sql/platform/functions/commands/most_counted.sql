create or replace function platform.most_counted() returns integer
  language sql immutable parallel safe return 10000;
comment on function platform.most_counted() is
  'The number of rows up to which lists of REST and GraphQL count. Counting a million rows under row-level security takes 130 ms.';
revoke execute on function platform.most_counted() from public;
