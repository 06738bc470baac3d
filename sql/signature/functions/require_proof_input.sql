create or replace function signature.require_proof_input(p_sha256 text, p_label text, p_file_name text, p_file_size bigint)
  returns void language plpgsql immutable set search_path = '' as $$
declare
  v_fields jsonb := '[]';
begin
  if p_sha256 is null or p_sha256 !~ '^[0-9a-f]{64}$' then
    v_fields := v_fields || '{"field": "sha256", "message": "must be 64 lowercase hexadecimal digits"}';
  end if;
  if char_length(p_label) > 200 then
    v_fields := v_fields || '{"field": "label", "message": "must have at most 200 characters"}';
  end if;
  if char_length(p_file_name) > 255 then
    v_fields := v_fields || '{"field": "file_name", "message": "must have at most 255 characters"}';
  end if;
  if p_file_size not between 0 and 9007199254740991 then
    v_fields := v_fields || '{"field": "file_size", "message": "must be between 0 and 9007199254740991"}';
  end if;
  if v_fields <> '[]' then
    perform platform.fail(422, 'invalid_request', 'The proof is not valid.', v_fields);
  end if;
end
$$;
comment on function signature.require_proof_input(text, text, text, bigint) is
  'Limits of signature-service §8: digest 64 lowercase hex, label 200, file name 255 characters, size 0 to 2^53-1 bytes.';
revoke execute on function signature.require_proof_input(text, text, text, bigint) from public;
