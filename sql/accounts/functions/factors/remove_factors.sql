create or replace function accounts.remove_factors(p_person_id uuid, p_by_person boolean default true) returns void
  language plpgsql volatile set search_path = '' as $$
begin
  perform accounts.delete_factors(p_person_id);
  -- Somebody else may have the device, and a session that it opened.
  perform accounts.end_sessions(p_person_id, p_by_person => p_by_person);
  perform accounts.record_factors('user.factor_removed', p_person_id, p_by_person);
end
$$;
comment on function accounts.remove_factors(uuid, boolean) is
  'Takes the second factors of a person away, with the recovery codes and the passkeys, and records it in every organization of the person. Ends the sessions of the person. The caller holds the lock of the person.';
revoke execute on function accounts.remove_factors(uuid, boolean) from public;
