-- Columns are expressions for the reason given in api.proofs.
create view api.envelope_participants as
select
  participant.id,
  participant.envelope_id,
  participant.name || '' as name,
  participant.email || '' as email,
  participant.role || '' as role,
  participant.order_index + 0 as order_index,
  participant.auth_method || '' as auth_method,
  participant.modality || '' as modality,
  participant.cpf_mask || '' as cpf,
  participant.ssn_last4_mask || '' as ssn_last4,
  participant.phone_mask || '' as phone,
  participant.status || '' as status,
  participant.locked is true as locked,
  participant.invited_at,
  participant.viewed_at,
  participant.completed_at,
  participant.invitation_failed is true as invitation_failed,
  participant.decline_reason || '' as decline_reason,
  participant.erased_at
from signature.participants as participant
where (select platform.may_read('envelopes:read'));
comment on view api.envelope_participants is E'@primaryKey id\n@rowName participant\n@behavior -query:resource:connection -query:resource:list -query:resource:single\n@defaultOrder ID_ASC\n@foreignKey (role) references signature.participant_roles (name)\n@foreignKey (auth_method) references signature.auth_methods (name)\n@foreignKey (modality) references signature.modalities (name)\n@foreignKey (status) references signature.participant_statuses (name)\n@foreignKey (envelope_id) references api.envelopes (id)|@fieldName envelope|@forwardDescription The envelope.|@foreignFieldName participants|@mostOfOne 50|@backwardDescription The participants of the envelope, in the order of creation.\nParticipants of envelopes. CPF, SSN and telephone number are masked.';
comment on column api.envelope_participants.id is E'@notNull\nId of the participant. Ids are time-ordered.';
comment on column api.envelope_participants.envelope_id is E'@notNull\n@behavior -attribute:select\nThe envelope.';
comment on column api.envelope_participants.name is 'Name; 1 to 255 characters. Null once the participant was erased.';
comment on column api.envelope_participants.email is 'E-mail address. Null once the participant was erased.';
comment on column api.envelope_participants.role is E'@notNull\nWhat the participant does.';
comment on column api.envelope_participants.order_index is 'Place in the queue, 1 to 999. Participants with null come last, in the order of creation.';
comment on column api.envelope_participants.auth_method is E'@notNull\nHow the participant is authenticated.';
comment on column api.envelope_participants.modality is E'@notNull\nKind of the signature.';
comment on column api.envelope_participants.cpf is 'CPF, masked: ***.982.247-**.';
comment on column api.envelope_participants.ssn_last4 is 'Last digits of the SSN, masked: ***-**-**89.';
comment on column api.envelope_participants.phone is 'Telephone number, masked: the country code and the last two digits, such as +55*********10.';
comment on column api.envelope_participants.status is E'@notNull\nState of the participant.';
comment on column api.envelope_participants.locked is E'@notNull\nWhether the link of the participant is locked after too many wrong codes.';
comment on column api.envelope_participants.invited_at is 'When the participant was invited (UTC). Null before the invitation.';
comment on column api.envelope_participants.viewed_at is 'When the participant first viewed the documents (UTC). Null before the first view.';
comment on column api.envelope_participants.completed_at is 'When the participant finished (UTC). Null until then.';
comment on column api.envelope_participants.invitation_failed is E'@notNull\nWhether the invitation could not be delivered.';
comment on column api.envelope_participants.decline_reason is 'Why the participant declined; up to 1,000 characters. Null for a participant who has not declined, and once the participant was erased.';
comment on column api.envelope_participants.erased_at is 'When the operator erased the personal data of the participant (UTC). Null before the erasure.';
grant select on api.envelope_participants to selo_app, selo_analyst;
