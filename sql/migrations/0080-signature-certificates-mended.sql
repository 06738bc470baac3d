-- The minute job passes over sessions and certificates that somebody has locked: to lock a row asks for the right to change one of its columns.
grant update (expires_at) on signature.signing_sessions, signature.certificate_offers to selo_system;

-- Checks before 0079 did not ask whether a PDF is certified. A document from then says nothing of it.
alter table signature.documents add column is_certified_known boolean not null default false;
comment on column signature.documents.is_certified_known is
  'Whether the check asked for the certification. False for documents that were checked before checks did.';
