import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Logger } from "pino";
import { z } from "zod";
import type { MasterKeyring } from "../../src/adapters/crypto/master-keyring.ts";
import { correctionFor, correctionLanguage } from "../../src/adapters/tax-authority/corrections.ts";
import { dpsFacts } from "../../src/adapters/tax-authority/dps-facts.ts";
import { cancellationFacts } from "../../src/adapters/tax-authority/layout.ts";
import { layout101 } from "../../src/adapters/tax-authority/layout-1-01.ts";
import { MOST_XML_BYTES } from "../../src/adapters/tax-authority/packed-xml.ts";
import { signXml, type TaxIdentity } from "../../src/adapters/tax-authority/sign-xml.ts";
import type { Accepted, Doubt, Refused } from "../../src/adapters/tax-authority/tax-authority.ts";
import {
  readCancellationEvent,
  readNfse,
  UntrustedAnswerError,
} from "../../src/adapters/tax-authority/trusted-answers.ts";
import type { Jobs } from "../../src/postgres/jobs.ts";
import { openIssuerKey } from "../../src/services/invoicing/catalog/issuer-key.ts";
import type { TransmissionLease } from "../../src/services/invoicing/store.ts";
import type { TaxRoute } from "../../src/services/invoicing/tax-route.ts";
import { refusalMessage } from "./refusal-message.ts";

const bytes = z
  .string()
  .transform((text) => Buffer.from(text, "base64"))
  .nullable();

/** What jobs.begin_transmission answers. */
const begun = z
  .object({
    issuer_id: z.uuid(),
    certificate: z.string(),
    sealed_key: bytes,
    /** Of the organization (BCP 47). */
    language: z.string(),
    access_key: z.string().nullable(),
    is_in_doubt: z.boolean(),
    request_id: z.string().nullable(),
    request: bytes,
    earlier: z.array(z.string().transform((text) => Buffer.from(text, "base64"))),
    dps: bytes,
    facts: z.unknown(),
  })
  .nullable();

interface AttemptParts {
  readonly jobs: Jobs;
  readonly log: Logger;
  readonly masterKeys: MasterKeyring;
  /** How the environment reaches the tax authority. */
  readonly routeOf: () => Promise<TaxRoute>;
  /** Milliseconds in which the attempt asks the tax authority. */
  readonly attemptMs?: number;
}

/** A request of ours, whose bytes are committed. */
interface Request {
  readonly id: string;
  readonly xml: string;
}

/** Milliseconds after which an attempt ends its requests and sends nothing any more. Its lease lasts 120 s. */
export const ATTEMPT_MS = 100_000;

/** The codes that say that the NFS-e is canceled already. */
const CANCELED = ["E0802", "E0840"];
const DUPLICATE = "E0014";

type Outcome = Readonly<Record<string, unknown>> & { readonly outcome: "accepted" | "refused" | "doubt" | "untrusted" };

/**
 * One attempt to transmit: the number and the signed bytes are committed before anything is sent, and after any doubt the tax authority is asked
 * first. So an invoice becomes one NFS-e, however often a worker is killed.
 */
export async function attempt(parts: AttemptParts, lease: TransmissionLease): Promise<void> {
  const { jobs, log } = parts;
  const given = { invoice_id: lease.invoiceId, kind: lease.kind, lease_id: lease.leaseId };
  try {
    await tryOnce(parts, lease, given, AbortSignal.timeout(parts.attemptMs ?? ATTEMPT_MS));
  } catch (error) {
    // A fault of ours waits and ends as any other doubt, and the issuer's other invoices go on.
    log.error(
      { err: error, alarm: "invoice_attempt_failed", invoice_id: lease.invoiceId },
      "an attempt to transmit has failed",
    );
    const message = "The attempt failed at Selo. It is made again.";
    await jobs.call(lease, "record_transmission", { ...given, outcome: "doubt", code: "internal", message });
  }
}

type Given = Readonly<Record<"invoice_id" | "kind" | "lease_id", string>>;

/** @param end nothing is sent later: another worker may have the lease then */
async function tryOnce(parts: AttemptParts, lease: TransmissionLease, given: Given, end: AbortSignal): Promise<void> {
  const { jobs, log } = parts;
  const route = await parts.routeOf();
  const start = begun.parse(await jobs.call(lease, "begin_transmission", given));
  if (start === null) return;
  if (start.sealed_key === null) throw new Error(`issuer ${start.issuer_id} has no certificate`);
  const identity: TaxIdentity = {
    certificate: start.certificate,
    privateKey: openIssuerKey(parts.masterKeys, start.issuer_id, start.sealed_key),
  };
  const request =
    start.request === null || start.request_id === null
      ? await newRequest(lease.kind, start.facts, identity, (kept) =>
          jobs.call(lease, "keep_request", { ...given, ...kept }),
        )
      : { id: start.request_id, xml: unpacked(start.request) };
  if (request === null) return;
  const dps = lease.kind === "issue" ? request.xml : start.dps === null ? "" : unpacked(start.dps);
  const earlier = start.earlier.map(unpacked);
  const work = {
    ...parts,
    route,
    identity,
    request,
    dps,
    earlier,
    accessKey: start.access_key,
    language: start.language,
    isInDoubt: start.is_in_doubt,
    end,
  };
  const outcome = await (lease.kind === "issue" ? issue(work) : cancel(work));
  if (outcome.outcome === "untrusted")
    log.error({ alarm: "invoice_answer_untrusted", invoice_id: lease.invoiceId }, String(outcome["message"]));
  await jobs.call(lease, "record_transmission", { ...given, ...outcome });
}

/** Null if another worker has the lease now. */
async function newRequest(
  kind: TransmissionLease["kind"],
  facts: unknown,
  identity: TaxIdentity,
  keep: (kept: object) => Promise<unknown>,
): Promise<Request | null> {
  const { id, xml: unsigned } =
    kind === "issue"
      ? layout101.writeDps(dpsFacts.parse(facts))
      : layout101.writeCancellation(cancellationFacts.parse(facts));
  const xml = signXml(unsigned, id, identity);
  const kept = await keep({
    request_id: id,
    request: packed(xml),
    request_sha256: sha256(xml),
  });
  return kept === null ? null : { id, xml };
}

interface AttemptWork extends AttemptParts {
  readonly route: TaxRoute;
  readonly identity: TaxIdentity;
  readonly request: Request;
  /** Our signed DPS. */
  readonly dps: string;
  /** Earlier signed DPS of the invoice, which were refused. */
  readonly earlier: readonly string[];
  readonly accessKey: string | null;
  readonly language: string;
  readonly isInDoubt: boolean;
  readonly end: AbortSignal;
}

async function issue(work: AttemptWork): Promise<Outcome> {
  const { route, identity, request, isInDoubt } = work;
  if (isInDoubt) {
    const found = await findIssued(work);
    if (found !== null) return found;
  }
  const answer = await route.authority.issue(identity, request.xml, work.end);
  if (answer.kind === "accepted") return trusted(answer, () => authorized(work, answer, work.dps));
  if (answer.kind === "refused" && answer.errors.some(({ code }) => code === DUPLICATE))
    // Two answers that contradict each other decide nothing.
    return (await findIssued(work)) ?? { ...doubt(inDoubt(answer)), answer: packed(answer.body) };
  return answer.kind === "refused" ? refused(answer, "issue", work.language) : doubt(answer);
}

/** What became of the DPS by what the tax authority says now; null if it knows none. */
async function findIssued(work: AttemptWork): Promise<Outcome | null> {
  const { route, identity, request } = work;
  const found = await route.authority.findDps(identity, request.id, work.end);
  if (found.kind === "absent") return null;
  if (found.kind !== "accepted") return found.kind === "refused" ? doubt(inDoubt(found)) : doubt(found);
  const nfse = await route.authority.fetchNfse(identity, found.accessKey, work.end);
  if (nfse.kind !== "accepted")
    return doubt(
      nfse.kind === "doubt"
        ? nfse
        : nfse.kind === "refused"
          ? inDoubt(nfse)
          : { kind: "doubt", code: "http_404", retryAfterSeconds: null, detail: null },
    );
  return trusted(nfse, () => {
    for (const dps of [work.dps, ...work.earlier])
      try {
        return authorized(work, nfse, dps);
      } catch (error) {
        if (!(error instanceof UntrustedAnswerError) || error.reason !== "altered_dps") throw error;
      }
    // The DPS inside is signed by us, but not as we signed it: the answer does not count.
    if (isSignedAsOurs(nfse.xml, [work.dps, ...work.earlier])) throw new UntrustedAnswerError("altered_dps");
    // A sound NFS-e of another DPS: another system has issued our number.
    const errors = [{ code: DUPLICATE, message: "Another DPS has this number.", complement: null }];
    return {
      ...refused({ kind: "refused", status: 400, errors, body: nfse.body }, "issue", work.language),
      is_number_taken: true,
    };
  });
}

/** Whether a document has the signature of one of our DPS. */
function isSignedAsOurs(xml: string, ours: readonly string[]): boolean {
  const dense = xml.replaceAll(/\s/g, "");
  return ours.some((dps) => {
    const [, signature] = /<SignatureValue>([^<]+)</.exec(dps.replaceAll(/\s/g, "")) ?? [];
    return signature !== undefined && dense.includes(signature);
  });
}

/** What an answer says, if it counts. */
function trusted(answer: Accepted, read: () => Outcome): Outcome {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UntrustedAnswerError)) throw error;
    return { outcome: "untrusted", message: error.message, answer: packed(answer.body) };
  }
}

function authorized(work: AttemptWork, answer: Accepted, dpsXml: string): Outcome {
  const { trusted: certificates } = work.route;
  const { access_key, nfse_number, issued_at } = readNfse(answer.xml, {
    trusted: certificates,
    now: new Date(),
    dpsXml,
  });
  return {
    ...acceptedWith(answer),
    access_key,
    nfse_number,
    at: issued_at,
    ...(dpsXml !== work.dps && { request: packed(dpsXml), request_sha256: sha256(dpsXml) }),
  };
}

async function cancel(work: AttemptWork): Promise<Outcome> {
  const { route, identity, request, accessKey, isInDoubt } = work;
  if (accessKey === null) throw new Error("an invoice without an access key cannot be canceled");
  if (isInDoubt) {
    const found = await findCanceled(work, accessKey);
    if (found !== null) return found;
  }
  const answer = await route.authority.cancel(identity, accessKey, request.xml, work.end);
  if (answer.kind === "accepted") return canceled(work, accessKey, answer);
  if (answer.kind === "refused" && answer.errors.some(({ code }) => CANCELED.includes(code)))
    return (await findCanceled(work, accessKey)) ?? doubt(inDoubt(answer));
  return answer.kind === "refused" ? refused(answer, "cancel", work.language) : doubt(answer);
}

async function findCanceled(work: AttemptWork, accessKey: string): Promise<Outcome | null> {
  const found = await work.route.authority.findCancellation(work.identity, accessKey, work.end);
  if (found.kind === "absent") return null;
  if (found.kind !== "accepted") return doubt(found.kind === "refused" ? inDoubt(found) : found);
  return canceled(work, accessKey, found);
}

function canceled({ route }: AttemptWork, accessKey: string, answer: Accepted): Outcome {
  return trusted(answer, () => {
    // Whoever asked: the NFS-e is canceled.
    const options = { trusted: route.trusted, now: new Date(), accessKey, requestXml: null };
    return { ...acceptedWith(answer), at: readCancellationEvent(answer.xml, options).canceled_at };
  });
}

const packed = (text: string): string => gzipSync(text).toString("base64");
const unpacked = (bytes: Buffer): string => gunzipSync(bytes, { maxOutputLength: MOST_XML_BYTES }).toString("utf8");
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

const acceptedWith = ({ xml, body }: Accepted) => ({
  outcome: "accepted" as const,
  document: packed(xml),
  document_sha256: sha256(xml),
  answer: packed(body),
});

/** A question that was refused says nothing of the request. */
const inDoubt = ({ status }: Refused): Doubt => ({
  kind: "doubt",
  code: `http_${status}`,
  retryAfterSeconds: null,
  detail: null,
});

const doubt = ({ code, retryAfterSeconds }: Doubt): Outcome => ({
  outcome: "doubt",
  code,
  message:
    code === "transport"
      ? "The tax authority did not answer, or its answer could not be read."
      : `The tax authority answered ${code.slice("http_".length)} without a decision.`,
  retry_after_seconds: retryAfterSeconds,
});

function refused({ errors, body }: Refused, kind: TransmissionLease["kind"], language: string): Outcome {
  const spoken = correctionLanguage(language);
  return {
    outcome: "refused",
    // Complements may name people, and the trail is never erased: they stand in the message alone.
    codes: errors.map(({ code, message }) => ({ code, message, correction: correctionFor(code, spoken) })),
    message: refusalMessage(errors),
    answer: packed(body),
    ...(kind === "issue" && { is_number_taken: false }),
  };
}
