create or replace function platform.is_email(p_text text) returns boolean
  language sql immutable set search_path = '' as $$
  -- Nothing that cannot be seen or that turns the direction of writing. A local part of atoms (RFC 5322, 3.2.3) and labels, letters of any script among them. Mail servers of old take % for a route, and programs a
  -- hyphen at the beginning for an option.
  select char_length(p_text) <= 254
    and p_text ~ '^(?!-)[^@[:space:][:cntrl:]<>()",:;\[\]\\%.]+(\.[^@[:space:][:cntrl:]<>()",:;\[\]\\%.]+)*@((?!-)[^@[:space:][:cntrl:]<>()",:;\[\]\\%.]{1,63}\.)+(?!-)[^@[:space:][:cntrl:]<>()",:;\[\]\\%.]{1,63}$'
    and p_text !~ '[\u0080-\u00a0\u00ad\u034f\u061c\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]' and p_text !~ '-(\.|$)' and p_text !~ '\.[0-9]+$' and char_length(split_part(p_text, '@', 1)) <= 64
$$;
comment on function platform.is_email(text) is
  'Whether a text is an e-mail address that mail can be sent to: a local part of up to 64 characters, and a domain of at least two labels of up to 63. No part is empty or begins with a hyphen. Quotes, comments and % are refused. Null for null.';
revoke execute on function platform.is_email(text) from public;
