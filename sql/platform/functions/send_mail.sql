create or replace function platform.send_mail(p_kind text, p_recipient text, p_language text, p_data jsonb) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_id uuid;
begin
  -- The test environment sends mails only to the organization itself.
  if platform.environment() = 'test' and not exists (
    select from platform.organizations as organization
    where organization.id = platform.tenant_id() and organization.contact_email = p_recipient
  ) then
    return;
  end if;
  insert into platform.mails (tenant_id, environment, kind, recipient, language, data)
  values (platform.tenant_id(), platform.environment(), p_kind, p_recipient, p_language, p_data)
  returning id into v_id;
  perform platform.add_job('platform__send_mail', json_build_object('id', v_id));
end
$$;
comment on function platform.send_mail(text, text, text, jsonb) is
  'Writes a mail and its job in this transaction, in the context''s tenant and environment. Mails of the test environment go only to the organization''s own contact.';
revoke execute on function platform.send_mail(text, text, text, jsonb) from public;
