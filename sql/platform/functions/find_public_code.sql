--! owner selo_system
-- Looks across tenants: whose a code is, is what it finds out.
create or replace function platform.find_public_code(
  p_code text, out tenant_id uuid, out environment text, out subject_type text, out subject_id uuid
)
  language sql stable security definer set search_path = '' as $$
  select known.tenant_id, known.environment, known.subject_type, known.subject_id
  from platform.public_codes as known
  -- As people read and write Crockford base32: O is 0, I and L are 1, dashes and case are decoration.
  where known.code = regexp_replace(translate(upper(p_code), 'OIL-', '011'), '^(.{4})(.{4})(.{4})$', '\1-\2-\3')
$$;
comment on function platform.find_public_code(text) is 'What a verification code stands for, however it is written; all null when there is no such code.';
revoke execute on function platform.find_public_code(text) from public;
grant execute on function platform.find_public_code(text) to selo_owner;
