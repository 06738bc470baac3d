create or replace function dns.comparable_apex(p_content text) returns text
  language plpgsql immutable set search_path = '' as $$
declare
  c_parts constant text[] := array(
    select rtrim(part.text, '.') from regexp_split_to_table(lower(btrim(p_content)), '\s+') with ordinality as part (text, place)
    -- The serial of a SOA is another one after each change, and clients send back what they have read before.
    where part.place <> 3 order by part.place);
begin
  return array_to_string(c_parts, ' ');
end
$$;
comment on function dns.comparable_apex(text) is 'A text that equal contents of SOA, or of NS, share: without the serial and without final dots.';
revoke execute on function dns.comparable_apex(text) from public;
