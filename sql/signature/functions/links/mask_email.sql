create or replace function signature.mask_email(p_email text) returns text
  language sql immutable parallel safe set search_path = '' as $$
  select regexp_replace(p_email, '^(.).*@(.).*?(\.[^.@]+)?$', '\1•••@\2•••\3')
$$;
comment on function signature.mask_email(text) is 'An e-mail address with most of it hidden, such as m•••@e•••.com: its owner recognizes the address.';
revoke execute on function signature.mask_email(text) from public;
