create function jobs.keep_own_seal_certificate(p_own jsonb) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_kept constant jsonb := coalesce(platform.setting('own_seal_certificates'), '[]');
begin
  if not exists (select from jsonb_array_elements(v_kept) as own where own.value = p_own) then
    -- The actor is the system: a job noticed the certificate.
    perform platform.enter_origin(null);
    perform platform.enter_context(null, null, 'system', null, null);
    perform platform.change_setting('own_seal_certificates', (
      select coalesce(jsonb_agg(own.value), '[]') || p_own from jsonb_array_elements(v_kept) as own
      where own.value ->> 'certificate' <> p_own ->> 'certificate')::text);
  end if;
end
$$;
comment on function jobs.keep_own_seal_certificate(jsonb) is
  'Adds the operator''s own certificate {certificate, chain: [], not_before, not_after}, base64 DER, to those that gateway.list_platform_keys answers. Earlier ones stay: what they sealed is still checked.';
revoke execute on function jobs.keep_own_seal_certificate(jsonb) from public;
grant execute on function jobs.keep_own_seal_certificate(jsonb) to selo_worker;
