-- Each method authenticates participants in test; in live where the deployment has the service that it needs (signature.is_available).
update signature.auth_methods as method
set description = told.description
from (values
  ('otp_sms', 'A one-time code by SMS. Needs phone.'),
  ('cpf', 'The CPF, beside the one-time code. Needs cpf.'),
  ('kba', 'Questions about the person, beside the one-time code. Needs cpf or ssn_last4.'),
  ('identity_match', 'A comparison with an identity provider, beside the one-time code. Needs cpf or ssn_last4.')
) as told (name, description)
where method.name = told.name;
comment on table signature.auth_methods is
  E'@enum\nHow a participant is authenticated. Every participant gets a one-time code. otp_sms, kba and identity_match are available in live where the deployment has the service that they need.';

-- squawk-ignore ban-drop-column
alter table signature.auth_methods drop column is_available;
-- squawk-ignore ban-drop-column
alter table signature.modalities drop column is_available;

alter type signature.seat add attribute has_ssn_last4 boolean;

update platform.error_codes set meaning = 'A participant has an auth_method or a modality that is not available.' where code = 'auth_method_unavailable';
