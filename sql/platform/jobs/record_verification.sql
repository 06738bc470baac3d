create function jobs.record_verification(p_seal bigint) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  if p_seal > jobs.verified_seal()
    and exists (select from platform.audit_seals as seal where seal.number = p_seal) then
    -- The actor is the system: a job did the verification. The settings of the session may still name another actor.
    perform platform.enter_origin(null);
    perform platform.enter_context(null, null, 'system', null, null);
    perform platform.change_setting('audit_verified_seal', p_seal::text);
  end if;
end
$$;
comment on function jobs.record_verification(bigint) is
  'Records that the worker found no fault under the seals up to this seal. The worker does not verify the signatures under these seals again. The number never goes back.';
revoke execute on function jobs.record_verification(bigint) from public;
grant execute on function jobs.record_verification(bigint) to selo_worker;
