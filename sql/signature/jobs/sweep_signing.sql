--! owner selo_system
-- Looks across tenants: codes and sessions of all organizations end.
create function jobs.sweep_signing(out erased_codes bigint, out deleted_sessions bigint, out deleted_offers bigint)
  language plpgsql volatile security definer set search_path = '' as $$
begin
  -- signature.end_envelope and signature.remind hold rows of many participants, in no order that this could follow. So this waits for none of them.
  delete from signature.signing_sessions as session
  where (session.tenant_id, session.id) in (
    select ended.tenant_id, ended.id from signature.signing_sessions as ended
    where ended.expires_at <= clock_timestamp() limit 10000 for update skip locked);
  get diagnostics deleted_sessions = row_count;
  delete from signature.certificate_offers as offer
  where (offer.tenant_id, offer.participant_id) in (
    select ended.tenant_id, ended.participant_id from signature.certificate_offers as ended
    where ended.expires_at <= clock_timestamp() limit 10000 for update skip locked);
  get diagnostics deleted_offers = row_count;
  update signature.signing_codes as code set enciphered_code = null, code_digest = null
  where (code.tenant_id, code.id) in (
    select late.tenant_id, late.id from signature.signing_codes as late
    where (late.enciphered_code is not null or late.code_digest is not null) and late.expires_at <= clock_timestamp() limit 10000 for no key update skip locked);
  get diagnostics erased_codes = row_count;
end
$$;
comment on function jobs.sweep_signing() is
  'Erases one-time codes that are late with their digests, and deletes sessions and certificates to sign with that are over: up to 10,000 of each. What somebody has locked now comes next time.';
revoke execute on function jobs.sweep_signing() from public;
grant execute on function jobs.sweep_signing() to selo_worker;
