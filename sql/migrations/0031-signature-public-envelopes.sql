-- Public verification of envelopes (signature-service §4).

insert into platform.error_codes (code, status, meaning) values
  ('envelope_not_found', 404, 'No envelope has this verification code, or no completed live envelope has a sealed PDF with this digest.');
