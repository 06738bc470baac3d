create or replace function platform.mail_owners(p_kind text, p_data jsonb) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_service text;
  v_owner record;
  v_is_sent boolean := false;
begin
  for v_service in select hook.service from platform.service_functions('owner_addresses', '') as hook loop
    for v_owner in execute format('select owner.email, owner.language from %I.owner_addresses() as owner', v_service) loop
      perform platform.send_mail(p_kind, v_owner.email, v_owner.language, p_data || '{"to_owner": true}');
      v_is_sent := true;
    end loop;
  end loop;
  if not v_is_sent then
    perform platform.mail_contact(p_kind, p_data);
  end if;
end
$$;
comment on function platform.mail_owners(text, jsonb) is
  'Sends a mail to the people who own the context''s organization, to each in the person''s language, with to_owner in its data. The service that knows people has the function owner_addresses(), which answers email and language of each owner of that organization. An organization without an owner gets the mail at its contact (platform.mail_contact).';
revoke execute on function platform.mail_owners(text, jsonb) from public;
