create or replace function signature.wrong_proof_input(p_sha256 text, p_label text default null, p_file_name text default null, p_file_size bigint default null)
  returns jsonb language sql immutable parallel safe set search_path = '' as $$
  select case
    when p_sha256 is not null and p_sha256 ~ '^[0-9a-f]{64}$'
      and coalesce(char_length(p_label) <= 200, true)
      and coalesce(char_length(p_file_name) <= 255 and p_file_name !~ '[\r\n]', true)
      and coalesce(p_file_size between 0 and 9007199254740991, true) then null
    else (
      select jsonb_agg(jsonb_build_object('field', wrong.field, 'message', wrong.message))
      from (values
        ('sha256', 'must be 64 lowercase hexadecimal digits', p_sha256 is null or p_sha256 !~ '^[0-9a-f]{64}$'),
        ('label', 'must have at most 200 characters', char_length(p_label) > 200),
        ('file_name', 'must have at most 255 characters', char_length(p_file_name) > 255),
        ('file_name', 'must be in one line', p_file_name ~ '[\r\n]'),
        ('file_size', 'must be between 0 and 9007199254740991', p_file_size not between 0 and 9007199254740991)
      ) as wrong (field, message, is_wrong)
      where wrong.is_wrong
    )
  end
$$;
comment on function signature.wrong_proof_input(text, text, text, bigint) is
  E'@param sha256 {..64, /^[0-9a-f]{64}$/ must be 64 lowercase hexadecimal digits} SHA-256 of the file: 64 lowercase hexadecimal digits.\n@param label {..200} Label of the proof, shown on the receipt and on the public verification page.\n@param file_name {..255} Name of the file, in one line, never shown publicly.\n@param file_size {0..9007199254740991} Size of the file in bytes, never shown publicly.\nThe faults of a proof''s input, as the fields of 422 invalid_request. Null for a right input. Limits of signature-service §8: digest 64 lowercase hexadecimal digits, label 200, file name 255 characters in one line, size 0 to 2^53-1 bytes.';
revoke execute on function signature.wrong_proof_input(text, text, text, bigint) from public;
