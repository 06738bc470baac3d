/**
 * Checks of the audit that no edit of a column in audit-coverage.test.ts makes find something, by the file beside whose tests do.
 * The last test of each file holds its list; checks.test.ts compares the lists with the checks that there are.
 */
export const FOUND_BY = {
  credentials: ["actions"],
  credits: ["payments"],
  events: ["heap"],
  records: ["registrations"],
  seals: ["heads"],
} as const;
