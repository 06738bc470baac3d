-- Columns are expressions for the reason given in api.proofs.
create view api.envelopes as
select
  envelope.id,
  envelope.title || '' as title,
  envelope.message || '' as message,
  envelope.status,
  envelope.signing_order || '' as signing_order,
  envelope.allow_delegation is true as allow_delegation,
  envelope.language || '' as language,
  envelope.jurisdiction || '' as jurisdiction,
  envelope.expires_at,
  envelope.sent_at,
  envelope.completed_at,
  envelope.created_at,
  envelope.field_placement || '' as field_placement,
  envelope.expires_in_days + 0 as expires_in_days,
  envelope.remind_every_days + 0 as remind_every_days,
  envelope.external_id || '' as external_id,
  envelope.erased_at,
  (select template.id from signature.templates as template where template.tenant_id = envelope.tenant_id and template.id = envelope.template_id) as template_id,
  -- An index of all organizations begins with this column.
  greatest(envelope.sealing_since) as sealing_since,
  envelope.cancel_reason || '' as cancel_reason,
  case envelope.status when 'failed' then coalesce(envelope.failure_reason, 'completion_failed') end as failure_reason,
  envelope.verification_code || '' as verification_code,
  (select setting.value from platform.settings as setting where setting.name = 'public_url')
    || '/verify/' || envelope.verification_code as verify_url,
  case when envelope.status in ('completed', 'declined', 'cancelled', 'expired', 'failed') then (
    select ended.occurred_at from platform.audit_events as ended
    where ended.tenant_id = envelope.tenant_id and ended.environment = envelope.environment and ended.subject_id = envelope.id
      and ended.action = 'envelope.' || envelope.status
    order by ended.seq desc limit 1) end as ended_at,
  (select made.actor_id from platform.audit_events as made
   where made.tenant_id = envelope.tenant_id and made.environment = envelope.environment and made.subject_id = envelope.id and made.seq = 1
     and made.action = 'envelope.created' and made.actor_type = 'token') as created_token_id,
  case when envelope.sent_at is not null then (
    select sent.actor_id from platform.audit_events as sent
    where sent.tenant_id = envelope.tenant_id and sent.environment = envelope.environment and sent.subject_id = envelope.id
      and sent.action = 'envelope.sent' and sent.actor_type = 'token'
    order by sent.seq desc limit 1) end as sent_token_id
from signature.envelopes as envelope
where (select platform.may_read('envelopes:read'));
comment on view api.envelopes is E'@primaryKey id\n@get envelope envelopes:read\n@search list_envelopes created_at status\n@narrowedBy label_id\n@memberOfOne documents signature.documents_of_envelope(id)\n@memberOfOne participants signature.participants_of_envelope(id)\n@memberOfOne fields signature.fields_of_envelope(id)\n@memberOfOne labels signature.labels_of_envelope(id)\n@defaultOrder ID_DESC\n@foreignKey (status) references signature.envelope_statuses (name)\n@foreignKey (signing_order) references signature.signing_orders (name)\n@foreignKey (jurisdiction) references platform.jurisdictions (name)\n@foreignKey (field_placement) references signature.field_placements (name)\nEnvelopes: documents and participants that are sent together.';
comment on column api.envelopes.id is E'@notNull\n@behavior +orderBy\nId of the envelope. Ids are time-ordered.';
comment on column api.envelopes.title is 'Title, shown to participants; 1 to 255 characters. Null once the envelope was erased.';
comment on column api.envelopes.message is 'Message to the participants; up to 4,000 characters. Null without one, and once the envelope was erased.';
comment on column api.envelopes.status is E'@notNull\n@behavior +filterBy\nState of the envelope.';
comment on column api.envelopes.signing_order is E'@notNull\nOrder in which participants act.';
comment on column api.envelopes.allow_delegation is E'@notNull\nWhether participants may hand their turn to someone else.';
comment on column api.envelopes.language is 'Language tag of the texts that participants read. Null for the language of the organization.';
comment on column api.envelopes.jurisdiction is E'@notNull\nLegal regime. br behaves like intl.';
comment on column api.envelopes.expires_at is 'The deadline (UTC). Null before sending.';
comment on column api.envelopes.sent_at is 'When the envelope was sent (UTC). Null before sending.';
comment on column api.envelopes.completed_at is 'When the last required participant finished (UTC). Null before completion.';
comment on column api.envelopes.created_at is E'@notNull\n@behavior +filterBy\nWhen the envelope was created (UTC).';
comment on column api.envelopes.field_placement is E'@notNull\nreport or fields: where signatures are shown.';
comment on column api.envelopes.expires_in_days is E'@notNull\nDays from sending to the deadline; 1 to 365.';
comment on column api.envelopes.remind_every_days is 'After how many days without a mail the participants whose turn it is are reminded; 1 to 30. Null for never.';
comment on column api.envelopes.external_id is 'Id of the envelope in your own system; up to 255 characters. Null without one, and once the envelope was erased.';
comment on column api.envelopes.erased_at is 'When the operator erased the personal data of the envelope (UTC). Null before the erasure.';
comment on column api.envelopes.template_id is 'The template that the envelope was created from. Null without one, and once the template is gone.';
comment on column api.envelopes.sealing_since is 'When the completion began (UTC). Null before and after the completion.';
comment on column api.envelopes.cancel_reason is 'Why the sender cancelled the envelope; up to 1,000 characters.';
comment on column api.envelopes.failure_reason is 'Why the envelope failed: unsealable (a document cannot be sealed) or completion_failed (anything else, for which the completion was tried again and again). Null unless the envelope has failed. Later versions may add reasons.';
comment on column api.envelopes.verification_code is E'@format verification_code\nXXXX-XXXX-XXXX: the code by which the public verification page finds the envelope. Null before sending.';
comment on column api.envelopes.verify_url is E'@format uri\nThe public verification page of the envelope. Null before sending.';
comment on column api.envelopes.ended_at is E'@behavior -attribute:select\nWhen the envelope was completed, declined, cancelled, expired or failed (UTC). Null before.';
comment on column api.envelopes.created_token_id is E'@behavior -attribute:select\nThe API token that created the envelope, see api.tokens. Null where it was not a token.';
comment on column api.envelopes.sent_token_id is E'@behavior -attribute:select\nThe API token that sent the envelope, see api.tokens. Null before, and where it was not a token.';
grant select on api.envelopes to selo_app, selo_analyst;
