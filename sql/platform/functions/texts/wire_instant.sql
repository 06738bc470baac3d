-- Inlined, because answers hold many instants: a call costs more than the text. So it is not strict.
create or replace function platform.wire_instant(p_instant timestamptz) returns text
  language sql stable parallel safe
  return case
    when isfinite(p_instant) and p_instant >= '0001-01-01 00:00:00+00' then to_char(p_instant at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
    -- Selo makes no such time. An edited time must not look like another time or like no time.
    else p_instant::text end;
comment on function platform.wire_instant(timestamptz) is
  'An instant in the form of answers and of the data of events: UTC, always six digits, such as 2026-11-20T12:34:56.123456Z. Signed and hashed instants have the form of platform.instant.';
revoke execute on function platform.wire_instant(timestamptz) from public;
grant execute on function platform.wire_instant(timestamptz) to selo_system;
