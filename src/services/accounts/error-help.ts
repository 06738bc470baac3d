/** What a caller can do about the errors of signing in, for /guides/errors; CommonMark. */
export const accountErrorHelp: Readonly<Record<string, string>> = {
  csrf: "Send the value of the cookie `inv_csrf` as the header `X-CSRF-Token`. If somebody changed the organization in another tab, load the page again. Sign in from a page of Selo itself.",
  last_owner: "Make another member an owner first, then change or remove this one.",
  second_factor_required:
    "Ask for the six digits that the authenticator app shows, or for a recovery code, and send the same request with `code`.",
  too_many_attempts:
    "Wait for as many seconds as `Retry-After` says. If you have forgotten the password, ask for a link that sets another one.",
};
