create or replace function accounts.mail_person(p_person_id uuid, p_kind text, p_facts jsonb default '{}', p_tenant_id uuid default null) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  c_saved constant text[] := platform.saved_context();
  c_person constant accounts.people := accounts.read_person(p_person_id);
  c_tenant_id constant uuid := coalesce(p_tenant_id, accounts.last_organization_of(p_person_id));
begin
  if c_person.id is null or c_tenant_id is null then
    return;
  end if;
  perform platform.enter_context(c_tenant_id, 'live', null, null, null);
  perform platform.send_mail(p_kind, c_person.email, c_person.language,
    jsonb_build_object('name', c_person.name, 'email', c_person.email, 'at', platform.instant(clock_timestamp())) || p_facts);
  perform platform.restore_context(c_saved);
end
$$;
comment on function accounts.mail_person(uuid, text, jsonb, uuid) is
  'Sends a mail to a person, in the person''s language and in the environment live, in this transaction. It comes in the name of an organization: by default the one that the person opened last. Somebody who belongs to no organization then gets no mail. Adds name and email of the person, and at (now), to the facts, which may have their own.';
revoke execute on function accounts.mail_person(uuid, text, jsonb, uuid) from public;
