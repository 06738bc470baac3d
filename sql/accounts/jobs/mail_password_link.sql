create function jobs.mail_password_link(p_link_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  c_link constant accounts.password_links := accounts.read_link(p_link_id);
begin
  perform accounts.mail_person(c_link.person_id, 'password_reset', jsonb_build_object(
    'link_id', c_link.id, 'at', platform.instant(c_link.created_at), 'expires_at', platform.instant(c_link.expires_at)));
end
$$;
comment on function jobs.mail_password_link(uuid) is
  'Mails a link to its person. Nothing for a link without a person, or of a person without an organization, and for one that was used, replaced or is over.';
revoke execute on function jobs.mail_password_link(uuid) from public;
grant execute on function jobs.mail_password_link(uuid) to selo_worker;
