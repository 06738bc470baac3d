-- plpgsql, as in platform.audit_event_text and platform.audit_event_hash: the function runs for every event, and a call of an SQL function costs several times as much.
create or replace function platform.commitment(p_salted jsonb) returns text
  language plpgsql immutable set search_path = '' as $$
begin
  return encode(sha256(decode(p_salted ->> 'salt', 'hex') || convert_to(p_salted ->> 'value', 'UTF8')), 'hex');
end
$$;
comment on function platform.commitment(jsonb) is
  'The commitment to a piece of personal data {salt (hexadecimal), value}, which the chain holds: SHA-256 over salt and value, hexadecimal. A reader without salt and value learns nothing from the commitment.';
revoke execute on function platform.commitment(jsonb) from public;
grant execute on function platform.commitment(jsonb) to selo_system;
