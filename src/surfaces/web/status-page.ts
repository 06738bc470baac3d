import type { FastifyBaseLogger } from "fastify";
import type { FaultRecord } from "../../postgres/database.ts";
import type { PageFacts } from "./fill-page.ts";
import { momentInWords, zoneInWords } from "./moment-in-words.ts";
import type { ServicePages } from "./service-pages.ts";

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

/** Parts may be away in part. A deployment without parts of a kind works without them. */
function partOutcome(states: string | readonly string[]): Outcome {
  const all = [states].flat();
  const answering = all.filter((state) => state === "ok").length;
  return answering === all.length ? "ok" : answering > 0 ? "part" : "failed";
}

/** Each line about a service says how well the worst of what it needs works. What is not tested here, such as parts of which none is known, hinders nothing. */
function serviceFacts({ checks, parts }: Readiness, needs: ServicePages["needs"]): PageFacts {
  const found: Readonly<Record<string, string>> = {
    ...checks,
    ...Object.fromEntries(Object.entries(parts).map(([name, states]) => [name, partOutcome(states)])),
  };
  return Object.fromEntries(
    Object.entries(needs).flatMap(([service, names]) => {
      const outcomes = names.map((name) => (found[name] === "full" ? "part" : (found[name] ?? "ok")));
      const worst = (["failed", "unknown", "part"] as const).find((each) => outcomes.includes(each)) ?? "ok";
      return (["ok", "part", "failed", "unknown"] satisfies Outcome[]).map((each) => [
        `service_${service}_${each}`,
        each === worst ? "" : null,
      ]);
    }),
  );
}

/** What the page of src/web/site/status.tsx says of a readiness, in its language: of each check, which of its sentences stands. */
export function statusFacts(readiness: Readiness, language: string, needs: ServicePages["needs"]): PageFacts {
  const { isReady, checks, checkedAt } = readiness;
  const oneOf = (name: string, outcome: string) =>
    ["ok", "full", "failed", "unknown"].map((each) => [`${name}_${each}`, each === outcome ? "" : null]);
  return {
    is_ready: isReady ? "" : null,
    is_not_ready: isReady ? null : "",
    ...Object.fromEntries(Object.entries(checks).flatMap(([name, outcome]) => oneOf(name, outcome))),
    ...serviceFacts(readiness, needs),
    ...Object.assign({}, ...partsOf(readiness, needs).map(([name, states]) => partFacts(name, states))),
    checked_at: checkedAt.toISOString(),
    checked_in_words: momentInWords(checkedAt, language, "medium") + zoneInWords(language),
  };
}

/** The parts that services need, and their states: none where they could not be read. */
function partsOf({ checks, parts }: Readiness, needs: ServicePages["needs"]): (readonly [string, readonly string[]])[] {
  const names = new Set(Object.values(needs).flat());
  return [...names].filter((name) => !(name in checks)).map((name) => [name, [parts[name] ?? []].flat()]);
}

/** Nothing stands where no part of the kind is known. */
function partFacts(name: string, states: readonly string[]): PageFacts {
  const outcome = partOutcome(states);
  const isShown = (shown: boolean) => (states.length > 0 && shown ? "" : null);
  return {
    [`has_${name}`]: isShown(true),
    [`${name}_ok`]: isShown(outcome === "ok"),
    [`${name}_some`]: isShown(outcome === "part"),
    [`${name}_none`]: isShown(outcome === "failed"),
  };
}
