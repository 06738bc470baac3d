import type { AuditFault } from "../../../postgres/audit-reader.ts";
import { normalized, statementsOf } from "../../../postgres/migrate/catalog-statements.ts";

/** The report stops at this number: in a database of another version nearly everything differs. */
const MOST_FAULTS = 100;
const MOST_CHARACTERS = 200;

/**
 * Compares two descriptions of a database's structure, in the form of `schema/database.sql`. Differences are, for instance, a column behind
 * which another column hides, a policy that shows a row to others or to nobody, a trigger, a right. The first line of each statement is its name.
 */
export function structureFaults(there: string, expected: string): AuditFault[] {
  const [found, made] = [statementsOf(there), statementsOf(expected)];
  const faults = [
    ...[...found].flatMap(([name, text]) => {
      const own = made.get(name);
      if (own === undefined) return [`not made by Selo: ${name}`];
      return own === text || normalized(own) === normalized(text) ? [] : [`different from what Selo makes: ${name}`];
    }),
    ...[...made.keys()].filter((name) => !found.has(name)).map((name) => `missing: ${name}`),
  ];
  const told = faults.slice(0, MOST_FAULTS);
  if (faults.length > MOST_FAULTS)
    told.push(`${faults.length - MOST_FAULTS} more: is this database of another version of Selo?`);
  return told.map((fault) => ({
    check_name: "structure",
    tenant_id: null,
    environment: null,
    subject_type: "database",
    subject_id: null,
    seq: null,
    event_id: null,
    fault: fault.slice(0, MOST_CHARACTERS),
  }));
}
