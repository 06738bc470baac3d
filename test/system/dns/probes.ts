// Questions of each kind about a signed zone, and what a validating resolver must say to them.
import { randomBytes } from "node:crypto";
import type { RecordType } from "dns-packet";
import type { ZoneBody } from "../../services/dns/dns-stage.ts";
import type { DnsDeployment } from "./dns-deployment.ts";
import type { SignedTree, Verdict } from "./signed-tree.ts";

/** A delegation to a zone that is not signed, below a name that leads to nothing else. */
const PLAIN = "plain.only";

export interface Probe {
  readonly kind: string;
  /** Below the zone; a function makes another name each time. */
  readonly name: string | (() => string);
  readonly type: RecordType;
  readonly status: "NOERROR" | "NXDOMAIN";
  readonly answers: number;
  /** Whether it lies in the signed zone. */
  readonly isSigned: boolean;
}

const random = (below: string) => () => `x${randomBytes(6).toString("hex")}${below}`;
const signed = (
  kind: string,
  name: Probe["name"],
  type: RecordType,
  answers: number,
  status: Probe["status"] = "NOERROR",
): Probe => ({ kind, name, type, status, answers, isSigned: true });

export const PROBES: readonly Probe[] = [
  signed("positive", "www", "A", 1),
  signed("positive at the apex", "", "MX", 1),
  signed("ALIAS at the apex, beside MX", "", "A", 1),
  signed("NODATA of an ALIAS", "", "AAAA", 0),
  signed("ALIAS without addresses beside a wildcard", "bare.wild", "A", 0),
  signed("ALIAS that a wildcard makes", random(".many"), "A", 1),
  signed("ALIAS to a name that a wildcard makes", "made", "A", 1),
  signed("CNAME", "short", "A", 2),
  signed("NXDOMAIN", random(""), "A", 0, "NXDOMAIN"),
  signed("NXDOMAIN below a name", random(".www"), "A", 0, "NXDOMAIN"),
  signed("NXDOMAIN below an empty non-terminal", random(".b.c"), "A", 0, "NXDOMAIN"),
  signed("NODATA", "www", "AAAA", 0),
  signed("NODATA at the apex", "", "TXT", 0),
  signed("wildcard", random(".wild"), "A", 1),
  signed("NODATA of a wildcard", random(".wild"), "AAAA", 0),
  signed("empty non-terminal", "b.c", "A", 0),
  signed("empty non-terminal above a wildcard", "wild", "A", 0),
  signed("empty non-terminal above a delegation", "only", "A", 0),
  signed("NXDOMAIN below it", random(".only"), "A", 0, "NXDOMAIN"),
  signed("no DS of a delegation", PLAIN, "DS", 0),
  { kind: "insecure delegation", name: `www.${PLAIN}`, type: "A", status: "NOERROR", answers: 1, isSigned: false },
  {
    kind: "NXDOMAIN in an insecure delegation",
    name: random(`.${PLAIN}`),
    type: "A",
    status: "NXDOMAIN",
    answers: 0,
    isSigned: false,
  },
];

/** Gives a zone the records that the probes ask for. */
export async function addRecords(deployment: DnsDeployment, zone: ZoneBody): Promise<void> {
  const one = (name: string, type: string, content: string, more: object = {}) => ({
    name,
    type,
    ttl: 60,
    records: [{ content, ...more }],
  });
  await deployment.change("PUT", `/zones/${zone.id}/records`, {
    sets: [
      one("www", "A", "192.0.2.1"),
      one("", "MX", `www.${zone.name}`, { priority: 10 }),
      one("", "ALIAS", `www.${zone.name}`),
      one("*.many", "ALIAS", `short.${zone.name}`),
      one("bare.wild", "ALIAS", `a.b.c.${zone.name}`),
      one("made", "ALIAS", `any.wild.${zone.name}`),
      one("short", "CNAME", `www.${zone.name}`),
      one("a.b.c", "TXT", "deep"),
      one("*.wild", "A", "192.0.2.2"),
      one(PLAIN, "NS", `ns.${PLAIN}.${zone.name}`),
    ],
  });
}

/** The lines of the zone to which the delegation leads. */
export const plainZone = (zone: string): Readonly<Record<string, readonly string[]>> => ({
  [`${PLAIN}.${zone}`]: [`www.${PLAIN}.${zone}. IN A 192.0.2.9`],
});

export const nameOf = ({ name }: Probe, zone: string): string => {
  const below = typeof name === "string" ? name : name();
  return below === "" ? zone : `${below}.${zone}`;
};

/** What was asked and answered otherwise than the zone has it; null if all is right. */
export async function wrongAnswer(
  tree: SignedTree,
  probe: Probe,
  zone: string,
  isSecure: boolean | null,
): Promise<string | null> {
  const verdict = await tree.ask(nameOf(probe, zone), probe.type);
  return isRight(probe, verdict, isSecure) ? null : `${probe.kind}: ${JSON.stringify(verdict)}`;
}

/** @param isSecure whether the zone's chain of trust is whole; null where it may be or not */
function isRight({ status, answers, isSigned }: Probe, verdict: Verdict, isSecure: boolean | null): boolean {
  return (
    verdict.status === status &&
    verdict.answers.length === answers &&
    (isSecure === null || verdict.isSecure === (isSigned && isSecure))
  );
}

/** How often the timer looks for questions that are due. */
const TICK_MS = 5;

/** Asks all kinds, again and again, until it is stopped. A timer that comes late asks what it has missed. */
export class Asker {
  readonly #tree: SignedTree;
  readonly #zone: string;
  readonly #wrong: string[] = [];
  readonly #timer: NodeJS.Timeout;
  readonly #under: Promise<void>[] = [];
  readonly #began = performance.now();
  readonly #perSecond: number;
  #asked = 0;

  constructor(tree: SignedTree, zone: string, perSecond: number) {
    this.#tree = tree;
    this.#zone = zone;
    this.#perSecond = perSecond;
    this.#timer = setInterval(() => this.#askWhatIsDue(), TICK_MS);
  }

  /** Ends it. Answers how many questions it asked, how many in each second, and the answers that were wrong: refused ones are SERVFAIL. */
  async stop(): Promise<{ readonly asked: number; readonly perSecond: number; readonly wrong: readonly string[] }> {
    clearInterval(this.#timer);
    this.#askWhatIsDue();
    const perSecond = this.#asked / this.#seconds();
    await Promise.all(this.#under);
    return { asked: this.#asked, perSecond, wrong: this.#wrong };
  }

  #askWhatIsDue(): void {
    while (this.#asked < this.#seconds() * this.#perSecond) this.#under.push(this.#ask());
  }

  #seconds(): number {
    return (performance.now() - this.#began) / 1_000;
  }

  async #ask(): Promise<void> {
    const probe = PROBES[this.#asked++ % PROBES.length];
    if (probe === undefined) return;
    const wrong = await wrongAnswer(this.#tree, probe, this.#zone, null).catch((error: unknown) => String(error));
    if (wrong !== null) this.#wrong.push(wrong);
  }
}
