create or replace function platform.new_public_code() returns text
  language plpgsql volatile set search_path = '' as $$
declare
  c_alphabet constant text := '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  -- Each of twelve bytes of the CSPRNG gives five bits: 60 bits without bias.
  c_random constant bytea := extensions.gen_random_bytes(12);
  v_code text := '';
begin
  for v_place in 0..11 loop
    v_code := v_code || case when v_place in (4, 8) then '-' else '' end || substr(c_alphabet, (get_byte(c_random, v_place) & 31) + 1, 1);
  end loop;
  return v_code;
end
$$;
comment on function platform.new_public_code() is
  'A verification code, XXXX-XXXX-XXXX in Crockford base32. The key of platform.public_codes refuses a duplicate code. With a thousand million codes, one new code in a thousand million is a duplicate.';
revoke execute on function platform.new_public_code() from public;
