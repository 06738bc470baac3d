create or replace function platform.most_counted() returns integer
  language sql immutable parallel safe return 10000;
comment on function platform.most_counted() is
  'Up to how many rows lists count, of REST and of GraphQL. Counting a million rows under row-level security takes 130 ms.';
revoke execute on function platform.most_counted() from public;
