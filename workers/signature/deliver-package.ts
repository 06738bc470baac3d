import { createHash } from "node:crypto";
import { z } from "zod";
import { FairSlots, SlotsBusyError } from "../../src/adapters/fair-slots.ts";
import { ObjectSender, type PutOutcome } from "../../src/adapters/object-put/object-sender.ts";
import { DnsResolver } from "../../src/adapters/outgoing-http/resolver.ts";
import { PdfRenderer } from "../../src/adapters/pdf/pdf-renderer.ts";
import type { ObjectStore } from "../../src/adapters/storage/object-store.ts";
import { platformSettings } from "../../src/services/platform/settings.ts";
import {
  type ConnectorObject,
  connectorTarget,
  putsOf,
} from "../../src/services/signature/connectors/connector-target.ts";
import type { DataKey } from "../../src/services/signature/documents/data-key.ts";
import { DataKeys } from "../../src/services/signature/documents/data-keys.ts";
import { readContent } from "../../src/services/signature/documents/document-content.ts";
import { makeDossier } from "../../src/services/signature/dossiers/make-dossier.ts";
import type { PreparedDossier } from "../../src/services/signature/dossiers/prepared-dossier.ts";
import {
  keptReport,
  openReport,
  reportMaker,
  writeReport,
} from "../../src/services/signature/envelopes/kept-report.ts";
import { ReportMaker } from "../../src/services/signature/envelopes/make-report.ts";
import { PdfSealer } from "../../src/services/signature/envelopes/pdf-sealer.ts";
import type { PreparedReport } from "../../src/services/signature/envelopes/prepared-report.ts";
import { ownCertificate } from "../../src/services/signature/envelopes/sealer-settings.ts";
import type { FileSource } from "../../src/surfaces/rest/file-source.ts";
import type { WorkerTask } from "../task.ts";
import type { WorkerContext } from "../worked-service.ts";
import { pdfSlots } from "./pdf-slots.ts";

const payloadSchema = z.object({ tenant_id: z.uuid(), environment: z.enum(["live", "test"]), id: z.uuid() });
const begun = z.object({
  id: z.uuid(),
  envelope_id: z.uuid(),
  /** Year and month of the completion: `2026/11`. */
  folder: z.string(),
  content: z.enum(["documents", "dossier"]),
  connector: connectorTarget,
  /** The encrypted data key of the organization and environment. */
  data_key: z.base64(),
  /** The report, if it is kept. */
  report: keptReport.nullable(),
  documents: z.array(
    z.object({ id: z.uuid(), position: z.int(), object_id: z.uuid(), size: z.int(), sha256: z.string() }),
  ),
});
type Begun = z.output<typeof begun>;
type Document = Begun["documents"][number];
const prepared = z.object({ prepared: z.string(), basis: z.string() });
const ended = z.object({ next: z.array(begun) });

/** Seconds until a delivery that found no place is tried again. */
const AGAIN_SECONDS = 1;
/** Deliveries of a connector that travel at once, once the storage took the first. */
const LANES = 2;
/** Milliseconds after which a job takes no further delivery along: other organizations want the place. */
const TURN_MS = 10_000;

/** What deliveries work with. */
export interface DeliveryParts {
  readonly sender: Pick<ObjectSender, "put">;
  readonly objects: ObjectStore;
  readonly dataKeys: Pick<DataKeys, "open">;
  readonly reports: Pick<ReportMaker, "make">;
  /** See reportMaker: the operator's own certificate may be another one by now. */
  readonly maker: () => string;
  /** How many packages travel at once, and whose: slow storages leave places for other jobs. */
  readonly slots: FairSlots;
  /** WEBHOOK_ALLOW_LOOPBACK. */
  readonly allowsLoopback: boolean;
}

/**
 * Delivers the package of a completed envelope to a connector: each sealed document and the evidence report, one PUT each, or its dossier, one PUT. Names are the
 * same in each attempt, and so are bytes, but for a dossier whose events an audit seal came to cover. What the storage answers decides what follows; a fault of our own fails the job, which the queue tries again.
 *
 * The jobs of a connector run one after the other, and the queue takes half a second to start the next. So a job takes the next deliveries of its connector
 * along for a while, two at once, as long as the storage takes them. The job of each of these stays until the delivery has ended: it delivers what a killed worker
 * left.
 */
export function deliverPackage(parts: DeliveryParts): WorkerTask {
  const { sender, objects, dataKeys, reports, slots, allowsLoopback } = parts;
  return async (payload, { jobs, masterKeys, stopping }) => {
    const { tenant_id: tenantId, environment, id } = payloadSchema.parse(payload);
    const place = { tenantId, environment } as const;
    const maker = parts.maker();

    /** The report as it is kept, or else made and kept. */
    const reportOf = async ({ envelope_id: envelopeId, report: kept }: Begun, dataKey: DataKey, name: string) => {
      const own = { objects, dataKey, envelopeId };
      const opened = kept === null ? null : await openReport(own, kept);
      if (kept !== null && opened !== null)
        return pdfOf(name, kept, async function* () {
          yield* opened.open(0, opened.length - 1);
        });
      const answer = prepared.parse(await jobs.call(place, "prepare_package_report", { id: envelopeId, maker }));
      const { pdf } = await reports.make(JSON.parse(answer.prepared) as PreparedReport);
      const made = await writeReport(own, pdf);
      const unreadable = kept?.object_id ?? null;
      await jobs.call(place, "keep_package_report", { id: envelopeId, basis: answer.basis, unreadable, ...made });
      return pdfOf(name, made, async function* () {
        yield pdf;
      });
    };

    /** Delivers one package; answers the next ones, which have begun: as many as may, if there are. */
    const deliver = async (given: Begun, mayTake: () => number): Promise<readonly Begun[]> => {
      const end = async (outcome: string, { status, code }: PutOutcome | { status: null; code: string | null }) => {
        const takes_next = outcome === "delivered" ? mayTake() : 0;
        const more = { took_along: given.id !== id, takes_next, maker };
        const answer = await jobs.call(place, "end_package_delivery", { id: given.id, outcome, status, code, ...more });
        return ended.parse(answer).next;
      };
      try {
        const put = putsOf({ masterKeys, allowsLoopback }, given.connector);
        const folder = `${given.folder}/${given.envelope_id}`;
        const dataKey = dataKeys.open(place, Buffer.from(given.data_key, "base64"));
        const dossier = async (): Promise<ConnectorObject> => {
          const prepared = await jobs.call(place, "prepare_package_dossier", { id: given.envelope_id, maker });
          const { file } = await makeDossier(
            { objects, reports, keep: (report) => jobs.call(place, "keep_package_report", { ...report }) },
            dataKey,
            JSON.parse(z.string().parse(prepared)) as PreparedDossier,
          );
          return dossierObject(file, `${folder}.zip`, stopping);
        };
        const all =
          given.content === "dossier"
            ? [dossier]
            : [
                ...given.documents.map((document) => async () => storedObject(objects, dataKey, document, folder)),
                () => reportOf(given, dataKey, `${folder}/report.pdf`),
              ];
        for (const make of all) {
          const outcome = await sender.put(put(await make()), stopping);
          if (outcome.code !== null) return await end(whatFollows(outcome), outcome);
        }
        return await end("delivered", { status: null, code: null });
      } catch (error) {
        // The error that matters is the first.
        await end("noted", { status: null, code: stopping.aborted ? "interrupted" : "unavailable" }).catch(() => {});
        throw error;
      }
    };

    const turn = async () => {
      const began = performance.now();
      const mayTake = (most: number) => (!stopping.aborted && performance.now() - began < TURN_MS ? most : 0);
      const lane = async (first: Begun) => {
        let [given] = [first] as readonly Begun[];
        while (given !== undefined) [given] = await deliver(given, () => mayTake(1));
      };
      const own = begun.nullable().parse(await jobs.call(place, "begin_package_delivery", { id, maker }));
      if (own === null) return;
      const lanes = (await deliver(own, () => mayTake(LANES))).map(lane);
      // A lane that fails leaves the other one time to end its delivery.
      const failed = (await Promise.allSettled(lanes)).find(({ status }) => status === "rejected");
      if (failed?.status === "rejected") throw failed.reason;
    };

    await slots.run(tenantId, turn).catch(async (error: unknown) => {
      if (!(error instanceof SlotsBusyError)) throw error;
      await jobs.call(place, "postpone_package_delivery", { id, seconds: AGAIN_SECONDS });
    });
  };
}

/** Words of storages for what passes: two clocks that differ, a pause on the way, another PUT at the same time. Their statuses are 400, 403 and 409. */
const PASSING = ["RequestTimeTooSkewed", "RequestTimeout", "IncompleteBody", "OperationAborted"];
/** Words for a wrong region or bucket, with statuses 301 and 400: no delivery would succeed. */
const WRONG_SETTINGS = ["PermanentRedirect", "AuthorizationHeaderMalformed", "InvalidBucketName"];

/** What an answer of a storage means for the delivery; without a status, another attempt may succeed. */
function whatFollows({ status, code }: PutOutcome): "again" | "refused" | "failed" {
  if (status === null || code === "incomplete" || status === 408 || status === 429 || status >= 500) return "again";
  if (code !== null && PASSING.includes(code)) return "again";
  if (code !== null && WRONG_SETTINGS.includes(code)) return "refused";
  return [401, 403, 404].includes(status) ? "refused" : "failed";
}

/** The sealed PDF of a document, read as it is sent. */
const storedObject = (objects: ObjectStore, dataKey: DataKey, document: Document, folder: string): ConnectorObject =>
  pdfOf(`${folder}/${document.position}-${document.id}.pdf`, document, () =>
    readContent(objects, dataKey, document.object_id),
  );

const pdfOf = (
  name: string,
  { size, sha256 }: Pick<ConnectorObject, "size" | "sha256">,
  content: ConnectorObject["content"],
): ConnectorObject => ({ name, contentType: "application/pdf", size, sha256, content });

/** A dossier, which is made twice: the signature of a PUT has the digest of what follows. */
async function dossierObject(
  { length, open }: FileSource,
  name: string,
  stopping: AbortSignal,
): Promise<ConnectorObject> {
  const content = async () => open(0, length - 1);
  const hash = createHash("sha256");
  for await (const piece of await content()) {
    stopping.throwIfAborted();
    hash.update(piece as Buffer);
  }
  return {
    name,
    contentType: "application/zip",
    size: length,
    sha256: hash.digest("hex"),
    content: async function* () {
      yield* (await content()) as AsyncIterable<Buffer>;
    },
  };
}

/** The task of a worker. Half of its jobs at most are deliveries. */
export async function loadDeliverPackage(context: WorkerContext): Promise<WorkerTask> {
  const { config, jobs, masterKeys, metrics, objects, onClose } = context;
  const sender = new ObjectSender({ resolver: new DnsResolver(config.dnsResolvers ?? []) });
  onClose(() => sender.close());
  const renderer = new PdfRenderer();
  onClose(() => renderer.close());
  const own = ownCertificate(config);
  const total = Math.max(1, Math.floor(config.workerConcurrency / 2));
  const perGroup = Math.max(1, Math.floor(total / 2));
  return deliverPackage({
    sender,
    objects,
    dataKeys: new DataKeys(masterKeys),
    reports: new ReportMaker({
      renderer,
      sealer: new PdfSealer(jobs, masterKeys, { metrics, own }),
      slots: pdfSlots,
      operator: config.operator,
    }),
    maker: () => reportMaker(config.operator, own),
    slots: new FairSlots(total, { perGroup, mostOfGroup: perGroup, most: total }),
    allowsLoopback: config.of(platformSettings).WEBHOOK_ALLOW_LOOPBACK === "1",
  });
}
