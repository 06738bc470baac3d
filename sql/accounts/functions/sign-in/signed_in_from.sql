--! owner selo_system
-- Looks across tenants: people and their sessions belong to no organization.
create or replace function accounts.signed_in_from(p_email text, p_address_digest bytea) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (
    select from accounts.sessions as session
    where session.person_id = (accounts.find_person(p_email)).id and session.address_digest = p_address_digest
      and session.created_at > clock_timestamp() - interval '7 days')
$$;
comment on function accounts.signed_in_from(text, bytea) is
  'Whether the person with this e-mail address signed in from an address, given by its HMAC, within a week.';
revoke execute on function accounts.signed_in_from(text, bytea) from public;
grant execute on function accounts.signed_in_from(text, bytea) to selo_owner;
