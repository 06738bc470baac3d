import type { AuditFault } from "../../../postgres/audit-reader.ts";
import { normalized, statementsOf } from "../../../postgres/migrate/catalog-statements.ts";

/** So many are told: of another version nearly everything differs. */
const MOST_FAULTS = 100;
const MOST_CHARACTERS = 200;

/**
 * What differs between two descriptions of a database's structure in the form of `schema/database.sql`: a column that another one
 * hides behind, a policy that shows a row to others or to nobody, a trigger, a right. The first line of each statement names it.
 */
export function structureFaults(there: string, expected: string): AuditFault[] {
  const [found, made] = [statementsOf(there), statementsOf(expected)];
  const faults = [
    ...[...found].flatMap(([name, text]) => {
      const own = made.get(name);
      if (own === undefined) return [`Selo does not make it: ${name}`];
      return own === text || normalized(own) === normalized(text) ? [] : [`it is not as Selo makes it: ${name}`];
    }),
    ...[...made.keys()].filter((name) => !found.has(name)).map((name) => `it is missing: ${name}`),
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
