create or replace function platform.page_size() returns integer
  language sql immutable parallel safe return 50;
comment on function platform.page_size() is 'How many rows a page has unless asked otherwise: the default of p_limit of each list. The most of a page stands in the comment of platform.page.';
revoke execute on function platform.page_size() from public;
