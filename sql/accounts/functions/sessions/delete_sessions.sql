--! owner selo_system
-- Looks across tenants: sessions are of people, who may be members of several organizations.
create or replace function accounts.delete_sessions(p_person_id uuid, p_kept integer)
  returns table (tenant_id uuid, is_open boolean, live_digest bytea, test_digest bytea)
  language sql volatile security definer set search_path = '' as $$
  with ranked as (
    select session.id, session.expires_at, session.ended_at is null and session.expires_at > clock_timestamp() as is_open,
      row_number() over (order by session.ended_at is null and session.expires_at > clock_timestamp() desc, session.id desc) as place
    from accounts.sessions as session where session.person_id = p_person_id
  )
  delete from accounts.sessions as session using ranked
  where ranked.id = session.id and (ranked.expires_at <= clock_timestamp() - interval '7 days' or ranked.place > p_kept)
  returning session.tenant_id, ranked.is_open, session.live_digest, session.test_digest
$$;
comment on function accounts.delete_sessions(uuid, integer) is
  'Deletes for accounts.forget_sessions the sessions of a person that ran out a week ago, and all beyond so many: first those that are over, then the oldest. Without a number none are too many. Answers their credentials.';
revoke execute on function accounts.delete_sessions(uuid, integer) from public;
grant execute on function accounts.delete_sessions(uuid, integer) to selo_owner;
