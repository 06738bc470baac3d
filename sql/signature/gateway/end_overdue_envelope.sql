create function gateway.end_overdue_envelope(p_id uuid) returns json
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform platform.require_token();
  -- The acts before this command have different scopes, and the deadline has passed for all of them.
  return to_json(case when signature.end_overdue(p_id) then platform.environment() end);
end
$$;
comment on function gateway.end_overdue_envelope(uuid) is
  'After an act of the sender was refused with 409 conflict, in a separate transaction, because the refusal undoes the one of the act: moves the envelope to expired if its deadline has passed. Answers the environment of an envelope that it moved, and otherwise null.';
revoke execute on function gateway.end_overdue_envelope(uuid) from public;
