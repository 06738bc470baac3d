create or replace function signature.is_visible(p_text text) returns boolean
  language sql immutable set search_path = '' as $$
  select p_text ~ '[^[:space:]\u00a0\u00ad\u061c\u115f\u1160\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufeff\uffa0]'
$$;
comment on function signature.is_visible(text) is 'Whether a text has a character that can be seen. Spaces of every width, direction marks and joiners cannot.';
revoke execute on function signature.is_visible(text) from public;
