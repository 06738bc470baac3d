create function jobs.open_password_link(p_arguments jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  c_id constant uuid := p_arguments ->> 'link_id';
  v_person accounts.people;
begin
  v_person := accounts.hold_person((accounts.read_link(c_id)).person_id);
  if not exists (
    select from accounts.memberships as membership
    where membership.tenant_id = platform.tenant_id() and membership.person_id = v_person.id and membership.removed_at is null
  ) then
    return null;
  end if;
  return case when accounts.open_link(c_id, p_arguments ->> 'link_sha256') then '{}'::jsonb end;
end
$$;
comment on function jobs.open_password_link(jsonb) is
  'Lets the link {link_id, link_sha256} set the password of its person, a member of the organization; its mail is composed. link_sha256 is the SHA-256 (hexadecimal) of its secret, and must be the one that the request gave. Older links of the person are deleted. Null, and nothing is done, for a link that was used, replaced or is over.';
revoke execute on function jobs.open_password_link(jsonb) from public;
