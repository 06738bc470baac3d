import { createHash } from "node:crypto";
import { z } from "zod";
import { FairSlots, SlotsBusyError } from "../../src/adapters/fair-slots.ts";
import { ObjectSender, type PutOutcome } from "../../src/adapters/object-put/object-sender.ts";
import { DnsResolver } from "../../src/adapters/outgoing-http/resolver.ts";
import { PdfRenderer } from "../../src/adapters/pdf/pdf-renderer.ts";
import type { ObjectStore } from "../../src/adapters/storage/object-store.ts";
import { openSealed } from "../../src/adapters/storage/sealed-object.ts";
import { platformSettings } from "../../src/services/platform/settings.ts";
import {
  type ConnectorObject,
  connectorTarget,
  putsOf,
} from "../../src/services/signature/connectors/connector-target.ts";
import type { DataKey } from "../../src/services/signature/documents/data-key.ts";
import { DataKeys } from "../../src/services/signature/documents/data-keys.ts";
import { contentKey } from "../../src/services/signature/documents/document-content.ts";
import { ReportMaker } from "../../src/services/signature/envelopes/make-report.ts";
import { PdfSealer } from "../../src/services/signature/envelopes/pdf-sealer.ts";
import type { PreparedReport } from "../../src/services/signature/envelopes/prepared-report.ts";
import type { WorkerTask } from "../task.ts";
import type { WorkerContext } from "../worked-service.ts";
import { pdfSlots } from "./pdf-slots.ts";

const payloadSchema = z.object({ tenant_id: z.uuid(), environment: z.enum(["live", "test"]), id: z.uuid() });
const begun = z
  .object({
    envelope_id: z.uuid(),
    /** Year and month of the completion: `2026/11`. */
    folder: z.string(),
    connector: connectorTarget,
    documents: z.array(
      z.object({ id: z.uuid(), position: z.int(), object_id: z.uuid(), size: z.int(), sha256: z.string() }),
    ),
  })
  .nullable();
type Document = NonNullable<z.output<typeof begun>>["documents"][number];

/** Seconds until a delivery that found no place is tried again. */
const AGAIN_SECONDS = 1;

/** What deliveries work with. */
export interface DeliveryParts {
  readonly sender: Pick<ObjectSender, "put">;
  readonly objects: ObjectStore;
  readonly dataKeys: DataKeys;
  readonly reports: Pick<ReportMaker, "make">;
  /** How many packages travel at once, and whose: slow storages leave places for other jobs. */
  readonly slots: FairSlots;
  /** WEBHOOK_ALLOW_LOOPBACK. */
  readonly allowsLoopback: boolean;
}

/**
 * Delivers the package of a completed envelope to a connector: each sealed document and the evidence report, one PUT each. Names and bytes are the
 * same in each attempt. What the storage answers decides what follows; a fault of our own fails the job, which the queue tries again.
 */
export function deliverPackage(parts: DeliveryParts): WorkerTask {
  const { sender, objects, dataKeys, reports, slots, allowsLoopback } = parts;
  return async (payload, { jobs, masterKeys, stopping }) => {
    const { tenant_id: tenantId, environment, id } = payloadSchema.parse(payload);
    const place = { tenantId, environment } as const;

    const attempt = async () => {
      const given = begun.parse(await jobs.call(place, "begin_package_delivery", { id }));
      if (given === null) return;
      const end = (outcome: string, { status, code }: PutOutcome | { status: null; code: string | null }) =>
        jobs.call(place, "end_package_delivery", { id, outcome, status, code });
      try {
        const put = putsOf({ masterKeys, allowsLoopback }, given.connector);
        const folder = `${given.folder}/${given.envelope_id}`;
        const dataKey = await dataKeys.ofEnvironment(jobs, place);
        if (dataKey === null) throw new Error(`the environment of envelope ${given.envelope_id} has no data key`);
        const report = async (): Promise<ConnectorObject> => {
          const prepared = await jobs.call(place, "prepare_package_report", { id: given.envelope_id });
          const { pdf } = await reports.make(JSON.parse(z.string().parse(prepared)) as PreparedReport);
          return objectOf(pdf, `${folder}/report.pdf`);
        };
        const all = [
          ...given.documents.map((document) => async () => storedObject(objects, dataKey, document, folder)),
          report,
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

    await slots.run(tenantId, attempt).catch(async (error: unknown) => {
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
const storedObject = (objects: ObjectStore, dataKey: DataKey, document: Document, folder: string): ConnectorObject => ({
  name: `${folder}/${document.position}-${document.id}.pdf`,
  contentType: "application/pdf",
  size: document.size,
  sha256: document.sha256,
  content: async function* () {
    const { length, open } = await openSealed(objects, contentKey(dataKey, document.object_id));
    yield* open(0, length - 1);
  },
});

const objectOf = (pdf: Buffer, name: string): ConnectorObject => ({
  name,
  contentType: "application/pdf",
  size: pdf.length,
  sha256: createHash("sha256").update(pdf).digest("hex"),
  content: async function* () {
    yield pdf;
  },
});

/** The task of a worker. Half of its jobs at most are deliveries. */
export async function loadDeliverPackage(context: WorkerContext): Promise<WorkerTask> {
  const { config, jobs, masterKeys, metrics, objects, onClose } = context;
  const sender = new ObjectSender({ resolver: new DnsResolver(config.dnsResolvers ?? []) });
  onClose(() => sender.close());
  const renderer = new PdfRenderer();
  onClose(() => renderer.close());
  const total = Math.max(1, Math.floor(config.workerConcurrency / 2));
  const perGroup = Math.max(1, Math.floor(total / 2));
  return deliverPackage({
    sender,
    objects,
    dataKeys: new DataKeys(masterKeys),
    reports: new ReportMaker({
      renderer,
      sealer: new PdfSealer(jobs, masterKeys, metrics),
      slots: pdfSlots,
      operator: config.operator,
    }),
    slots: new FairSlots(total, { perGroup, mostOfGroup: perGroup, most: total }),
    allowsLoopback: config.of(platformSettings).WEBHOOK_ALLOW_LOOPBACK === "1",
  });
}
