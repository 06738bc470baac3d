create or replace function accounts.tell_owners(p_person_id uuid) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  c_saved constant text[] := platform.saved_context();
  c_person constant accounts.people := accounts.read_person(p_person_id);
begin
  perform accounts.enter_tenant(platform.tenant_id());
  perform platform.mail_owners('new_owner', jsonb_build_object('owner', c_person.name, 'owner_email', c_person.email, 'at', platform.instant(clock_timestamp())));
  perform platform.restore_context(c_saved);
end
$$;
comment on function accounts.tell_owners(uuid) is 'Mails to all owners of the organization of the context that a person became an owner of it, in live.';
revoke execute on function accounts.tell_owners(uuid) from public;
