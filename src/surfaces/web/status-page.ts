import type { FastifyBaseLogger } from "fastify";
import type { FaultRecord } from "../../postgres/database.ts";
import type { PageFacts } from "./fill-page.ts";
import { momentInWords, zoneInWords } from "./moment-in-words.ts";

/** What the checks of /readyz came to. */
export interface Readiness {
  readonly isReady: boolean;
  readonly checks: Readonly<Record<string, "ok" | "full" | "failed" | "unknown">>;
  /** States of parts without which the gateway works. */
  readonly parts: Readonly<Record<string, string | readonly string[]>>;
  readonly checkedAt: Date;
}

export type ReadReadiness = (log: FastifyBaseLogger) => Promise<Readiness>;

/** Null while the database does not say what failed. */
export type ReadFaults = (log: FastifyBaseLogger) => Promise<FaultRecord | null>;

type Outcome = "ok" | "part" | "failed" | "unknown";

/** What each service needs to work, by the names that /readyz gives. Parts may be away in part; a service without parts here works without them. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  proofs: ["database", "migrations", "public_url", "keys"],
  signatures: ["database", "migrations", "public_url", "keys", "certificates", "storage"],
  dns: ["database", "migrations", "nameservers"],
  webhooks: ["database", "migrations"],
};

/** A service works as well as the worst of what it needs. What is not tested here (nameservers, where none is known) hinders nothing. */
function serviceFacts({ checks, parts }: Readiness): PageFacts {
  const states = [parts["nameservers"] ?? []].flat();
  const answering = states.filter((state) => state === "ok").length;
  const nameservers = answering === states.length ? "ok" : answering > 0 ? "part" : "failed";
  const found: Readonly<Record<string, string>> = { ...checks, nameservers };
  return Object.fromEntries(
    Object.entries(NEEDS).flatMap(([service, needs]) => {
      const outcomes = needs.map((name) => (found[name] === "full" ? "part" : (found[name] ?? "ok")));
      const worst = (["failed", "unknown", "part"] as const).find((each) => outcomes.includes(each)) ?? "ok";
      return (["ok", "part", "failed", "unknown"] satisfies Outcome[]).map((each) => [
        `service_${service}_${each}`,
        each === worst ? "" : null,
      ]);
    }),
  );
}

/** What the page of src/web/site/status.tsx says of a readiness, in its language: of each check, which of its sentences stands. */
export function statusFacts(readiness: Readiness, language: string): PageFacts {
  const { isReady, checks, parts, checkedAt } = readiness;
  const oneOf = (name: string, outcome: string) =>
    ["ok", "full", "failed", "unknown"].map((each) => [`${name}_${each}`, each === outcome ? "" : null]);
  return {
    is_ready: isReady ? "" : null,
    is_not_ready: isReady ? null : "",
    ...Object.fromEntries(Object.entries(checks).flatMap(([name, outcome]) => oneOf(name, outcome))),
    ...serviceFacts(readiness),
    ...nameserverFacts(parts["nameservers"] ?? []),
    checked_at: checkedAt.toISOString(),
    checked_in_words: momentInWords(checkedAt, language, "medium") + zoneInWords(language),
  };
}

/** Nothing stands where no nameserver is known. */
function nameserverFacts(states: string | readonly string[]): PageFacts {
  const all = [states].flat();
  const answering = all.filter((state) => state === "ok").length;
  const isShown = (shown: boolean) => (all.length > 0 && shown ? "" : null);
  return {
    has_nameservers: isShown(true),
    nameservers_ok: isShown(answering === all.length),
    nameservers_some: isShown(answering > 0 && answering < all.length),
    nameservers_none: isShown(answering === 0),
  };
}
