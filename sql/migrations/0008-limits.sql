-- Tokens are counted where addresses are; what the table says of itself told of addresses alone.
comment on table platform.request_counts is 'How many requests came from an address or with a token in the current window, for all gateways.';
comment on column platform.request_counts.key is 'Who asked: HMAC-SHA-256 of the address, which is not kept, or SHA-256 of the token''s id.';
