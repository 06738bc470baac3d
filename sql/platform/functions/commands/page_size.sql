create or replace function platform.page_size() returns integer
  language sql immutable parallel safe return 50;
comment on function platform.page_size() is 'The number of rows of a page by default: the default of p_limit of each list. The comment of platform.page has the greatest page.';
revoke execute on function platform.page_size() from public;
