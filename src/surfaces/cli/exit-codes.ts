/** The exit codes of commands, for `selo --help`. The help of `proof verify` has its own codes. */
export const EXIT_CODES = `
Exit codes:
  0  done; start, gateway, worker and listen: a signal ended them
  1  refused or failed, and stderr says why; audit verify: something is not as it was recorded;
     keys reencrypt: a secret could not be encrypted again; status: something is missing;
     zone diff: the zone differs from the file
  2  proof verify: not proved; zone diff: refused or failed
  3  proof verify only: unusable arguments, or a file that cannot be read`;
