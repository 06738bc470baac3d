create or replace function accounts.make_password_link(p_person_id uuid, p_link_sha256 text) returns timestamptz
  language plpgsql volatile set search_path = '' as $$
declare
  c_expires_at constant timestamptz := clock_timestamp() + interval '24 hours';
begin
  perform accounts.delete_links('infinity', p_person_id);
  perform accounts.add_link(platform.uuidv7(), p_person_id, p_link_sha256, c_expires_at, true);
  return c_expires_at;
end
$$;
comment on function accounts.make_password_link(uuid, text) is
  'Makes a link of 24 hours that sets the password of a person, by the SHA-256 (hexadecimal) of its secret, instead of earlier ones. Answers when it runs out. The caller holds the lock of the person.';
revoke execute on function accounts.make_password_link(uuid, text) from public;
