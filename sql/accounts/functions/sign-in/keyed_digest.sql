create or replace function accounts.keyed_digest(variadic p_words text[]) returns bytea
  language plpgsql stable set search_path = '' as $$
declare
  v_key bytea;
begin
  select context_key.key into strict v_key from secrets.context_key;
  -- platform.context_mac makes codes of lists. No object is a list, so nothing made here is a code of a context.
  return extensions.hmac(convert_to(json_build_object('accounts', p_words)::text, 'UTF8'), v_key, 'sha256');
end
$$;
comment on function accounts.keyed_digest(text[]) is
  'HMAC-SHA-256 of some words under a key that no login and no backup has: a name under which attempts are counted, or a salt of an address that nobody signs in with.';
revoke execute on function accounts.keyed_digest(text[]) from public;
