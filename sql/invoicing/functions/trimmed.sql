create or replace function invoicing.trimmed(p_text text) returns text
  language sql immutable strict set search_path = '' as $$
  -- What editors call space, the one that does not break included.
  select btrim(p_text, E' \t\n\r\f\v\u0085\u00a0')
$$;
comment on function invoicing.trimmed(text) is 'A text from a request without the space at its ends, as the layout of the NFS-e takes it. Of space alone nothing stays.';
revoke execute on function invoicing.trimmed(text) from public;
