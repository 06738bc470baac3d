create function jobs.mail_password_link(p_link_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_link accounts.password_links;
begin
  perform accounts.hold_person((accounts.read_link(p_link_id)).person_id);
  v_link := accounts.take_link(p_link_id);
  perform accounts.mail_person(v_link.person_id, 'password_reset', jsonb_build_object(
    'link_id', v_link.id, 'at', platform.instant(v_link.created_at), 'expires_at', platform.instant(v_link.expires_at)));
end
$$;
comment on function jobs.mail_password_link(uuid) is
  'Mails a link to its person, once. Nothing for a link without a person, or of a person without an organization, and for one that was used, replaced or is over.';
revoke execute on function jobs.mail_password_link(uuid) from public;
grant execute on function jobs.mail_password_link(uuid) to selo_worker;
