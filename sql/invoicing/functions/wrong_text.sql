create or replace function invoicing.wrong_text(p_text text, p_most integer, p_has_lines boolean default false) returns text
  language sql immutable set search_path = '' as $$
  select case
    when p_text = '' then 'must not be empty'
    when char_length(p_text) > p_most then format('must have at most %s characters', p_most)
    when not p_has_lines and p_text ~ '[\n\r]' then 'must not have line breaks'
    -- TSString and TSStringComQuebraDeLinha of the layout.
    when p_text !~ '^[\n\r\u0020-\u007e\u00a1-\u00ff]*$' then 'may have only characters of Latin-1: the layout of the NFS-e takes no others'
  end
$$;
comment on function invoicing.wrong_text(text, integer, boolean) is 'What the layout of the NFS-e does not take in a text (invoicing.trimmed) of at most so many characters. Null for a right text and for null.';
revoke execute on function invoicing.wrong_text(text, integer, boolean) from public;
