create or replace function signature.audit_actions() returns table (action text, says text)
  language sql immutable set search_path = '' as $$
  -- The event holds no digest of the proof. signature.audit_walk_proofs compares the evidence.
  values ('proof.registered', 'made'),
    ('document.uploaded', 'made'), ('document.processing', 'changed'), ('document.ready', 'changed'), ('document.quarantined', 'changed'),
    ('document.failed', 'changed'), ('document.erased', 'changed'), ('document.deleted', 'gone'),
    ('envelope.created', 'made'), ('envelope.changed', 'changed'), ('envelope.settled', 'changed'), ('envelope.document_added', 'changed'), ('envelope.document_moved', 'changed'),
    ('envelope.document_removed', 'changed'), ('envelope.participant_added', 'changed'), ('envelope.participant_changed', 'changed'),
    ('envelope.participant_removed', 'changed'), ('envelope.field_added', 'changed'), ('envelope.field_changed', 'changed'), ('envelope.field_removed', 'changed'), ('envelope.deleted', 'gone'),
    ('envelope.sent', 'changed'), ('envelope.participant_invited', 'changed'), ('envelope.participant_reminded', 'changed'),
    ('envelope.invitation_failed', 'changed'), ('envelope.invitation_delivered', 'changed'), ('envelope.cancelled', 'changed'),
    ('envelope.expired', 'changed'), ('envelope.declined', 'changed'), ('envelope.failed', 'changed'), ('envelope.participant_signed', 'changed'),
    ('envelope.participant_declined', 'changed'), ('envelope.participant_replaced', 'changed'), ('envelope.participant_delegated', 'changed'), ('envelope.completed', 'changed'), ('envelope.viewed', 'changed'), ('envelope.attachment_delivered', 'changed'), ('envelope.link_locked', 'changed'), ('envelope.erased', 'changed'), ('envelope.participant_erased', 'changed'),
    ('template.created', 'made'), ('template.changed', 'changed'), ('template.deleted', 'gone'),
    ('participant.link_made', 'made'), ('participant.link_renewed', 'changed'), ('participant.link_revoked', 'changed'), ('participant.link_restated', 'changed'),
    ('label.created', 'made'), ('label.changed', 'changed'), ('label.deleted', 'gone'),
    ('connector.created', 'made'), ('connector.changed', 'changed'), ('connector.enabled', 'changed'), ('connector.disabled', 'changed'), ('connector.deleted', 'gone')
$$;
comment on function signature.audit_actions() is 'See platform.audit_actions.';
revoke execute on function signature.audit_actions() from public;
grant execute on function signature.audit_actions() to selo_system;
