/** Scopes that people alone hold: a program cannot manage them. */
const OF_PEOPLE = /^(?:members|organization):|^(?:tokens|dns_keys):manage$/;
/** Scopes of zones and records, which keys of DNS hold. */
const OF_DNS = /^(?:zone|record):/;

/** What a person with these scopes can give a token. The service decides again. */
export const scopesForTokens = (own: readonly string[]): string[] =>
  own.filter((scope) => !OF_PEOPLE.test(scope) && !OF_DNS.test(scope));

/** What a person with these scopes can give a key of DNS. */
export const scopesForKeys = (own: readonly string[]): string[] => own.filter((scope) => OF_DNS.test(scope));
