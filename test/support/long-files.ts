/** Why a file takes more than ten seconds of CPU (its own and Postgres'), by its path: see `npm run test:durations`. */
export const LONG_FILES: Readonly<Record<string, string>> = {};
