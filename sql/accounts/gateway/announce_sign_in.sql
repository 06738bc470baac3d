create function gateway.announce_sign_in(p_email text, p_network text, p_tag text, p_proof text default null) returns json
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform platform.allow_anyone();
  return json_build_object('retry_after', accounts.announce_attempt(p_email, p_network, p_tag, p_proof));
end
$$;
comment on function gateway.announce_sign_in(text, text, text, text) is
  'Before the last step of POST /auth/sign-in: says which tag (hexadecimal) and proof gateway.sign_in brings next. Answers {retry_after}, null but after too many.';
revoke execute on function gateway.announce_sign_in(text, text, text, text) from public;
