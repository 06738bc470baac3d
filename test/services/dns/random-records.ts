// Random changes of a zone, with what nameservers find hard: delegations, glue, names without records, disabled records.
import fc from "fast-check";
import type pg from "pg";
import { publish, type Zone } from "./served-stage.ts";

/** A change of one record: it is added, removed, disabled or enabled, or its content becomes another. */
export interface Step {
  readonly labels: readonly string[];
  readonly type: string;
  readonly action: "add" | "remove" | "toggle" | "change";
  readonly value: number;
}

/** Few labels, so that names meet. Names that begin with `c` have a CNAME and nothing else; those with `l` an ALIAS and no address. */
const LABELS = ["a", "b", "c", "l", "_s", "*"];
const TYPES = ["A", "A", "AAAA", "NS", "NS", "TXT", "MX", "SRV", "CAA", "PTR"];
/** Contents of a type, by number: all fit the others of their set. */
const CONTENTS: Readonly<Record<string, (value: number) => string>> = {
  A: (value) => `192.0.2.${value}`,
  AAAA: (value) => `2001:db8::${value}`,
  NS: (value) => `ns${value}.elsewhere.test`,
  TXT: (value) => ["plain", 'with "quotes" and \\', "não só ASCII €", "long ".repeat(120)][value % 4] ?? "",
  MX: (value) => `mx${value}.elsewhere.test`,
  SRV: (value) => `5 443 host${value}.elsewhere.test`,
  CAA: (value) => `0 issue "ca${value}.elsewhere.test"`,
  PTR: (value) => `host${value}.elsewhere.test`,
  CNAME: () => "target.elsewhere.test",
  ALIAS: () => "target.elsewhere.test",
};

/** The same steps for the same seed. */
export function randomSteps(seed: number, count: number): readonly Step[] {
  const step = fc.record({
    labels: fc.array(fc.constantFrom(...LABELS), { maxLength: 3 }),
    type: fc.constantFrom(...TYPES),
    action: fc.constantFrom("add" as const, "add" as const, "remove" as const, "toggle" as const, "change" as const),
    value: fc.integer({ min: 1, max: 4 }),
  });
  return fc.sample(step, { seed, numRuns: count }).map(sound);
}

/** The step with a name and type that a zone may have together. */
function sound(step: Step): Step {
  const labels = step.labels.map((label, place) => (label === "*" && place > 0 ? "a" : label));
  const [first] = labels;
  if (first === "c") return { ...step, labels, type: "CNAME" };
  if (first === "l" && ["A", "AAAA"].includes(step.type)) return { ...step, labels, type: "ALIAS" };
  if ((first === undefined || first === "*") && step.type === "NS") return { ...step, labels, type: "A" };
  return { ...step, labels };
}

/** Makes the steps in one change of the zone, and publishes their names. */
export async function change(
  client: pg.PoolClient,
  tenantId: string,
  zone: Zone,
  steps: readonly Step[],
): Promise<void> {
  const names = steps.map(({ labels }) => labels.join("."));
  for (const [place, { type, action, value }] of steps.entries()) {
    const name = [names[place], zone.name].filter((part) => part !== "").join(".");
    const content = CONTENTS[type]?.(value);
    const where = "tenant_id = $1 and zone_id = $2 and name = $3 and type = $4";
    const key = [tenantId, zone.id, name, type];
    if (action === "remove")
      await client.query(`delete from dns.records where ${where} and content = $5`, [...key, content]);
    else if (action === "toggle")
      await client.query(`update dns.records set disabled = not disabled where ${where}`, key);
    else if (action === "change")
      await client.query(
        `update dns.records set content = $5 where ctid = (select min(ctid) from dns.records where ${where})
           and not exists (select from dns.records where ${where} and content = $5)`,
        [...key, content],
      );
    else
      await client.query(
        `insert into dns.records (tenant_id, zone_id, name, type, content, ttl, priority)
         select $1, $2, $3, $4, $5, 300, $6 where not exists (select from dns.records where ${where} and content = $5)`,
        [...key, content, ["MX", "SRV"].includes(type) ? 10 : null],
      );
  }
  await publish(client, zone, names);
}
