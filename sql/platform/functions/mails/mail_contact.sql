create or replace function platform.mail_contact(p_kind text, p_data jsonb) returns void
  language sql volatile set search_path = '' as $$
  select platform.send_mail(p_kind, organization.contact_email, organization.language, p_data)
  from platform.organizations as organization
  where organization.id = platform.tenant_id() and organization.contact_email is not null
$$;
comment on function platform.mail_contact(text, jsonb) is
  'Sends a mail to the contact of the context''s organization, in its language. An organization without a contact gets no mail.';
revoke execute on function platform.mail_contact(text, jsonb) from public;
