create or replace function signature.most_known() returns integer
  language sql immutable parallel safe return 100;
comment on function signature.most_known() is 'Most entries of what is known of a digest.';
revoke execute on function signature.most_known() from public;
