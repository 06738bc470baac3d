/** What every surface says of a value that is no instant. */
export const NOT_AN_INSTANT = "must be an RFC 3339 instant, such as 2026-11-20T12:34:56.123456Z";

/** What every surface says of a value that is no day. */
export const NOT_A_DAY = "must be a date such as 2026-11-20";
