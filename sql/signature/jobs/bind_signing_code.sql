create function jobs.bind_signing_code(p_arguments jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
begin
  update signature.signing_codes as code set code_digest = decode(p_arguments ->> 'digest', 'hex')
  where code.tenant_id = platform.tenant_id() and code.environment = platform.environment() and code.id = (p_arguments ->> 'code_id')::uuid
    and code.enciphered_code is not null and code.expires_at > clock_timestamp();
  return case when found then '{}'::jsonb end;
end
$$;
comment on function jobs.bind_signing_code(jsonb) is
  'Lets the code {code_id, digest} be tried: digest is the keyed digest of its six digits, hexadecimal. Only the job that has opened the code knows the digest, and the gateway can write none. Null, and nothing is done, for a code that was used, used up or replaced, or is late.';
revoke execute on function jobs.bind_signing_code(jsonb) from public;
