-- Each day has its own look-up in the index of instants. A condition on day reads those days and no others.
create view analytics.notes_per_day as
select
  period.day::date as day,
  counted.notes,
  counted.reminded
from (
  select generate_series(date_trunc('day', min(note.created_at) at time zone 'UTC'), now() at time zone 'UTC', interval '1 day') as day
  from notes.notes as note
) as period
cross join lateral (
  select count(*) as notes, count(note.reminded_at) as reminded
  from notes.notes as note
  where note.created_at >= period.day at time zone 'UTC'
    and note.created_at < (period.day + interval '1 day') at time zone 'UTC'
  having count(*) > 0
) as counted
where (select platform.may_read('notes:read'));
comment on view analytics.notes_per_day is E'@primaryKey day\nNotes by the day on which they were made: one row for each day with notes.';
comment on column analytics.notes_per_day.day is E'@notNull\nThe day, in UTC.';
comment on column analytics.notes_per_day.notes is E'@notNull\nThe number of notes made on that day.';
comment on column analytics.notes_per_day.reminded is E'@notNull\nHow many of these notes an organization was reminded of, on that day or later.';
grant select on analytics.notes_per_day to selo_app, selo_analyst;
