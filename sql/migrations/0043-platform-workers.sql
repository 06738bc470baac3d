-- Which workers live: a worker that is killed leaves jobs that nobody else may take.

create table platform.workers (
  id text collate "C" primary key check (char_length(id) between 1 and 100),
  since timestamptz not null,
  seen_at timestamptz not null
);
comment on table platform.workers is 'Workers, each with the last sign of life. The jobs of one that gave none for a while are given to others.';
comment on column platform.workers.id is 'The name under which the worker takes jobs (locked_by of the jobs of the queue).';
comment on column platform.workers.since is 'From when on it has given signs of life without a gap (UTC).';
comment on column platform.workers.seen_at is 'Its last sign of life (UTC).';
