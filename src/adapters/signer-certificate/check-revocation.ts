import { createHash } from "node:crypto";
import { z } from "zod";
import type { FairSlots } from "../fair-slots.ts";
import type { Judged, RevocationPlan } from "./judge-certificate.ts";
import type { Statement } from "./messages.ts";
import type { KeptAnswer, KnownStatement, RevocationCache } from "./revocation-cache.ts";
import type { RevocationFetcher } from "./revocation-fetcher.ts";
import { runChild } from "./run-child.ts";

/** An answer that says something of a certificate, and proves it to anybody who has the path. */
export interface RevocationSource {
  readonly kind: "ocsp" | "crl";
  readonly url: string;
  /** DER: the whole OCSP response, or the whole list. */
  readonly bytes: Buffer;
  /** The certificate's place in the path: 0 is the signer's. */
  readonly certificate: number;
  readonly thisUpdate: Date;
  /** Null for an OCSP response that names none. */
  readonly nextUpdate: Date | null;
}

export interface Revocation {
  /** `good`: all certificates of the path but the root. `revoked`: at least one. */
  readonly status: "good" | "revoked" | "unknown";
  /** For `revoked`: the earliest time. */
  readonly revokedAt: Date | null;
  /** At most one for each certificate, in the order of the path. */
  readonly sources: readonly RevocationSource[];
  /** For logs: what gave no usable answer, and why. */
  readonly problems: readonly RevocationProblem[];
}

export interface RevocationProblem {
  readonly url: string;
  readonly problem: string;
}

export interface RevocationQuery extends Pick<Judged, "path" | "revocation"> {
  /** The present, by a clock that is right. */
  readonly at: Date;
  /** Whether http:// to this machine is allowed: in the test environment, if the deployment allows it. */
  readonly allowLoopback: boolean;
  /** Whose turn it is. */
  readonly group: string;
}

export interface RevocationParts {
  readonly fetcher: Pick<RevocationFetcher, "fetch">;
  readonly cache: RevocationCache;
  /** Each answer is read in a process. */
  readonly slots: FairSlots;
}

export interface RevocationOptions {
  readonly signal?: AbortSignal | undefined;
  /** Longest time of all questions together, and of one to a responder, in milliseconds. */
  readonly wholeMs?: number;
  readonly ocspMs?: number;
}

const WHOLE_MS = 10_000;
/** A responder that does not answer must leave time for the list. */
const OCSP_MS = 4_000;

const time = z.iso.datetime();
const statements: z.ZodType<Statement> = z.union([
  z.strictObject({ status: z.literal("unknown"), problem: z.string().max(500) }),
  z.strictObject({
    status: z.enum(["good", "revoked"]),
    revoked_at: time.nullable(),
    this_update: time,
    next_update: time.nullable(),
  }),
]);

/**
 * Finds out whether a certificate of a judged path was revoked: asks each one's OCSP responders and then fetches its issuer's lists, at the
 * addresses that the path has. All within ten seconds. A confined process reads the answers. Failures outside are part of the outcome.
 * @throws the signal's reason
 */
export async function checkRevocation(
  query: RevocationQuery,
  parts: RevocationParts,
  options: RevocationOptions = {},
): Promise<Revocation> {
  const { signal, wholeMs = WHOLE_MS, ocspMs = OCSP_MS } = options;
  const whole = AbortSignal.timeout(wholeMs);
  const problems: RevocationProblem[] = [];
  const context = { ...parts, query, ocspMs, signal: signal ? AbortSignal.any([whole, signal]) : whole, problems };
  const found = await Promise.all(query.revocation.map((plan, place) => findStatement(plan, place, context)));
  signal?.throwIfAborted();
  const known = found.filter((each) => each !== null);
  const times = known.flatMap(({ statement }) => (statement.revoked_at ? [Date.parse(statement.revoked_at)] : []));
  const isWhole = known.length === found.length && found.length === query.path.length - 1;
  return {
    status: times.length > 0 ? "revoked" : isWhole ? "good" : "unknown",
    revokedAt: times.length > 0 ? new Date(Math.min(...times)) : null,
    sources: known.map(({ source }) => source),
    problems,
  };
}

interface Context extends RevocationParts {
  readonly query: RevocationQuery;
  readonly signal: AbortSignal;
  readonly ocspMs: number;
  readonly problems: RevocationProblem[];
}

interface Found {
  readonly statement: KnownStatement;
  readonly source: RevocationSource;
}

/** An address, and what is asked there about one certificate. */
interface Question {
  readonly kind: "ocsp" | "crl";
  readonly url: string;
  readonly body: Buffer | null;
  readonly place: number;
  readonly certificate: Buffer;
  readonly issuer: Buffer;
}

/** The first usable answer about a certificate; null where no address gives one. */
async function findStatement(plan: RevocationPlan, place: number, context: Context): Promise<Found | null> {
  const [certificate, issuer] = context.query.path.slice(place, place + 2);
  if (!certificate || !issuer) throw new RangeError("the plan of revocation belongs to another path");
  const about = { place, certificate, issuer };
  const questions: Question[] = [
    ...plan.ocsp.map((url) => ({ kind: "ocsp" as const, url, body: plan.request, ...about })),
    ...plan.crl.map((url) => ({ kind: "crl" as const, url, body: null, ...about })),
  ];
  for (const question of questions) {
    if (context.signal.aborted) break;
    const found = await ask(question, context);
    if (typeof found !== "string") return found;
    context.problems.push({ url: question.url, problem: found });
  }
  return null;
}

/** @returns what an address says, or why it says nothing */
async function ask(question: Question, context: Context): Promise<Found | string> {
  const { cache, query } = context;
  // A list that another issuer's certificate names was checked with that issuer's key.
  const key = `${question.kind} ${question.url} ${sha256(question.body ?? question.issuer)} ${sha256(question.issuer)}`;
  const kept = cache.get(key, query.at);
  const bytes = kept?.bytes ?? (await fetchAnswer(question, context));
  if (typeof bytes === "string") return bytes;
  const statement = kept?.statements.get(sha256(question.certificate)) ?? (await read(question, bytes, context));
  if (statement.status === "unknown") return statement.problem;
  keep(kept, { key, bytes, statement, question }, cache);
  const { kind, url, place } = question;
  return {
    statement,
    source: {
      kind,
      url,
      bytes,
      certificate: place,
      thisUpdate: new Date(statement.this_update),
      nextUpdate: statement.next_update === null ? null : new Date(statement.next_update),
    },
  };
}

function fetchAnswer({ kind, url, body }: Question, context: Context): Promise<Buffer | string> {
  const { query, signal, ocspMs } = context;
  return context.fetcher.fetch({
    url,
    body,
    allowLoopback: query.allowLoopback,
    signal: kind === "ocsp" ? AbortSignal.any([signal, AbortSignal.timeout(ocspMs)]) : signal,
  });
}

async function read({ kind, certificate, issuer }: Question, bytes: Buffer, context: Context): Promise<Statement> {
  const order = {
    task: "revocation" as const,
    kind,
    certificate: certificate.toString("base64"),
    issuer: issuer.toString("base64"),
    at: context.query.at.toISOString(),
  };
  try {
    const { slots, signal, query } = context;
    const result = await slots.run(query.group, () => runChild(order, bytes, { signal }), signal);
    if (result === null) return { status: "unknown", problem: "reading it takes too much time or memory" };
    const statement = statements.safeParse(result.answer);
    if (statement.success) return statement.data;
    return { status: "unknown", problem: "the reader gave an answer of another shape" };
  } catch (error) {
    return { status: "unknown", problem: context.signal.aborted ? "timeout" : (error as Error).message };
  }
}

function keep(
  kept: KeptAnswer | undefined,
  { key, bytes, statement, question }: { key: string; bytes: Buffer; statement: KnownStatement; question: Question },
  cache: RevocationCache,
): void {
  const certificate = sha256(question.certificate);
  if (kept) kept.statements.set(certificate, statement);
  else if (statement.next_update !== null)
    cache.set(key, {
      bytes,
      nextUpdate: new Date(statement.next_update),
      statements: new Map([[certificate, statement]]),
    });
}

const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
