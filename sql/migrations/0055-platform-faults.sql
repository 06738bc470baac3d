-- What failed in the last 90 days, for the page /status: one row for each fault of a component.

create table platform.fault_watch (
  is_only boolean primary key default true check (is_only),
  since timestamptz not null,
  seen_at timestamptz not null
);
comment on table platform.fault_watch is 'The one row says since when faults are recorded. No row before the first observation, and after a restore.';
comment on column platform.fault_watch.is_only is 'Always true: there is one row.';
comment on column platform.fault_watch.since is 'The first observation (UTC).';
comment on column platform.fault_watch.seen_at is 'The last observation (UTC).';

create table platform.faults (
  id bigint generated always as identity primary key,
  component text not null check (component in ('service', 'keys', 'certificates', 'storage', 'nameservers')),
  extent text not null check (extent in ('whole', 'part')),
  began_at timestamptz not null,
  ended_at timestamptz check (ended_at >= began_at)
);
comment on table platform.faults is 'Faults of the deployment, without anything of an organization. One row for each fault, however long it takes.';
comment on column platform.faults.id is 'The fault.';
comment on column platform.faults.component is 'What failed. service: no observation came, because Postgres or all workers were away.';
comment on column platform.faults.extent is 'The worst so far. whole: it failed. part: a storage without room, or some of the nameservers.';
comment on column platform.faults.began_at is 'The first observation of the fault (UTC). A fault of the component service begins with the last observation before it.';
comment on column platform.faults.ended_at is 'The first observation after the fault (UTC). Null while it lasts.';
create unique index faults_lasting on platform.faults (component) where ended_at is null;
create index faults_ended_at on platform.faults (ended_at);
