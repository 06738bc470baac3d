create or replace function signature.has_hidden_character(p_text text) returns boolean
  language sql immutable set search_path = '' as $$
  select p_text ~ '[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0\U0001d173-\U0001d17a\U000e0001]'
    -- Only a flag has tags.
    or p_text ~ '(?<![\U0001f3f4\U000e0020-\U000e007e])[\U000e0020-\U000e007f]'
    -- Only a Chinese character has several forms to choose from.
    or p_text ~ '(?<![\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])[\U000e0100-\U000e01ef]'
    -- Between words of Thai, Lao, Burmese and Khmer, which are written without spaces.
    or p_text ~ '(?<![\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff])\u200b|\u200b(?![\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff])'
    -- After letters of Arabic, Indic and Mongolian scripts, which it keeps apart.
    or p_text ~ '(?<![\u0600-\u0dff\u0f00-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc])\u200c'
    -- After such letters, and between emoji, which it joins.
    or p_text ~ '(?<![\u0600-\u0dff\u0f00-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc\ufe0f\u2190-\u21ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff])\u200d'
    or p_text ~ '[\ufe0f\u2190-\u21ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]\u200d(?![\u2190-\u21ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff])'
$$;
comment on function signature.has_hidden_character(text) is
  'Whether a text has a character that nobody sees, where no script and no emoji needs it: two texts that look alike would be different ones.';
revoke execute on function signature.has_hidden_character(text) from public;
