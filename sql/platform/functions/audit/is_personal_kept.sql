create or replace function platform.is_personal_kept(p_event platform.audit_events) returns boolean
  language plpgsql immutable set search_path = '' as $$
begin
  return p_event.personal is null
    -- Characters that moved between salt and value would leave the commitment unchanged. Data without a salt have no commitment.
    or not exists (
      select from jsonb_each(p_event.personal) as piece
      where (piece.value ->> 'salt' ~ '^[0-9a-f]{32}$' and jsonb_typeof(piece.value -> 'value') = 'string') is not true)
    and platform.commitments(p_event.personal) is not distinct from p_event.commitments;
exception when others then
  -- An edit left a piece without salt and value.
  return false;
end
$$;
comment on function platform.is_personal_kept(platform.audit_events) is
  'Whether the personal data of an event match its commitments. Erased data match.';
revoke execute on function platform.is_personal_kept(platform.audit_events) from public;
grant execute on function platform.is_personal_kept(platform.audit_events) to selo_system;
