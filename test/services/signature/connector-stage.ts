// Connectors, a storage that takes what they write, and the job of a delivery, for tests.
import { createHash } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { FairSlots } from "../../../src/adapters/fair-slots.ts";
import { ObjectSender } from "../../../src/adapters/object-put/object-sender.ts";
import { DnsResolver } from "../../../src/adapters/outgoing-http/resolver.ts";
import { PdfRenderer } from "../../../src/adapters/pdf/pdf-renderer.ts";
import { DataKeys } from "../../../src/services/signature/documents/data-keys.ts";
import { reportMaker } from "../../../src/services/signature/envelopes/kept-report.ts";
import { ReportMaker } from "../../../src/services/signature/envelopes/make-report.ts";
import { PdfSealer } from "../../../src/services/signature/envelopes/pdf-sealer.ts";
import { type DeliveryParts, deliverPackage } from "../../../workers/signature/deliver-package.ts";
import { type Worker, workerOf } from "../../support/compose-mails.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { masterKeys } from "../../support/master-keys.ts";
import type { RestResponse } from "../../support/rest-client.ts";
import { objectsOf } from "../../support/uploads.ts";
import { complete, completionsOf, sentWith } from "./completion-stage.ts";
import { ask, type EnvelopeStage, openStage } from "./envelope-stage.ts";

/** A PUT as it came. */
export interface Put {
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly sha256: string;
  readonly bytes: number;
}

/** An answer with the storage's own word for the failure, as S3 has it. */
export interface WordOf {
  readonly status: number;
  readonly word: string;
}

type Answering = WordOf | number | ((request: http.IncomingMessage, response: http.ServerResponse) => void);

/** A storage on a free loopback port, which believes every signature. */
export interface Storage {
  readonly url: string;
  readonly puts: readonly Put[];
  /** From now on; anything but a status gets the request before its body is read. */
  answer(answering: Answering): void;
  /** Forgets what came. */
  clear(): void;
  close(): Promise<void>;
}

export async function startStorage(): Promise<Storage> {
  const puts: Put[] = [];
  let current: Answering = 200;
  const server = http.createServer((request, response) => {
    if (typeof current === "function") return current(request, response);
    const { status, word } = typeof current === "number" ? { status: current, word: null } : current;
    const hash = createHash("sha256");
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      hash.update(chunk);
      bytes += chunk.length;
    });
    request.on("error", () => {});
    request.on("end", () => {
      puts.push({ path: request.url ?? "", headers: request.headers, sha256: hash.digest("hex"), bytes });
      response.writeHead(status, { location: "http://127.0.0.1:1/" });
      response.end(
        word === null ? "" : `<?xml version="1.0"?>\n<Error>\n<Code>${word}</Code><Message>No.</Message></Error>`,
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    puts,
    answer: (next) => {
      current = next;
    },
    clear: () => void puts.splice(0),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";

/** What creates a connector to an address. */
export const connectorBody = (endpoint: string, more: object = {}) => ({
  name: "Archive",
  endpoint,
  region: "us-east-1",
  bucket: "contracts",
  access_key_id: "AKIAIOSFODNN7EXAMPLE",
  secret: SECRET,
  ...more,
});

/** A delivery as the list has it. */
export interface Delivery {
  readonly id: string;
  readonly envelope_id: string;
  readonly status: string;
  readonly attempts: number;
  readonly error: { readonly status: number | null; readonly code: string } | null;
  readonly delivered_at: string | null;
}

export class ConnectorStage {
  readonly selo: TestGateway;
  readonly storage: Storage;
  readonly worker: Worker;
  readonly parts: DeliveryParts;
  readonly #close: () => Promise<void>;

  private constructor(selo: TestGateway, storage: Storage) {
    this.selo = selo;
    this.storage = storage;
    this.worker = workerOf({ selo });
    const { jobs } = this.worker.context;
    const sender = new ObjectSender({ resolver: new DnsResolver() });
    const renderer = new PdfRenderer();
    const sealer = new PdfSealer(jobs, masterKeys);
    this.parts = {
      sender,
      objects: objectsOf(selo),
      dataKeys: new DataKeys(masterKeys),
      reports: new ReportMaker({ renderer, sealer, slots: new FairSlots(), operator: selo.config.operator }),
      maker: () => reportMaker(selo.config.operator, null),
      slots: new FairSlots(2),
      allowsLoopback: true,
    };
    this.#close = async () => {
      await sender.close();
      await renderer.close();
    };
  }

  static async open(): Promise<ConnectorStage> {
    return new ConnectorStage(await startTestGateway({ WEBHOOK_ALLOW_LOOPBACK: "1" }), await startStorage());
  }

  /** An organization of its own, in the test environment. */
  organization = (): Promise<EnvelopeStage> => openStage(this.selo);

  /** A connector to the storage. */
  async connector(stage: EnvelopeStage, more: object = {}): Promise<string> {
    const { status, body, text } = await ask(
      stage,
      "POST",
      "/integrations/connectors",
      connectorBody(this.storage.url, more),
    );
    if (status !== 201) throw new Error(`answered ${status}: ${text}`);
    return body.id;
  }

  /** An envelope that was completed. */
  async completed(stage: EnvelopeStage): Promise<{ readonly id: string; readonly documentId: string }> {
    const { id, documentId, links } = await sentWith(stage);
    await complete(stage, links[0]);
    await (await completionsOf(stage, this.worker))(id);
    return { id, documentId };
  }

  /** Runs the job of a delivery once, now. */
  async deliver(
    { tenantId, environment }: EnvelopeStage,
    id: string,
    parts: Partial<DeliveryParts> = {},
    stopping = this.worker.context.stopping,
  ): Promise<void> {
    const task = deliverPackage({ ...this.parts, ...parts });
    await task({ tenant_id: tenantId, environment, id }, { ...this.worker.context, stopping });
  }

  /** All deliveries of a connector, newest first. */
  async deliveries(stage: EnvelopeStage, id: string, query = ""): Promise<Delivery[]> {
    const { status, body, text } = await ask(stage, "GET", `/integrations/connectors/${id}/deliveries${query}`);
    if (status !== 200) throw new Error(`answered ${status}: ${text}`);
    return body.items;
  }

  /** The only delivery of a connector. */
  async delivery(stage: EnvelopeStage, id: string): Promise<Delivery> {
    const [delivery, ...others] = await this.deliveries(stage, id);
    if (delivery === undefined || others.length > 0) throw new Error(`there are ${others.length} more deliveries`);
    return delivery;
  }

  /** Jobs of deliveries that wait, with the seconds from their making until each runs. */
  async jobs(
    ids: readonly string[],
  ): Promise<{ readonly id: string; readonly seconds: number; readonly queue: string }[]> {
    const { rows } = await this.selo.database.admin.query(
      `select job.key, extract(epoch from job.run_at - job.updated_at)::float as seconds, job.queue_name as queue from graphile_worker.jobs as job
       where job.key = any ($1) order by job.id`,
      [ids.map((id) => `signature__deliver_package:${id}`)],
    );
    return rows.map(({ key, seconds, queue }) => ({ id: String(key).split(":")[1] ?? "", seconds, queue }));
  }

  async close(): Promise<void> {
    await this.#close();
    await this.worker.end();
    await this.storage.close();
    await this.selo.stop();
  }
}

/** Asks of a connector. */
export const of = (stage: EnvelopeStage, method: string, id: string, more = "", body?: object): Promise<RestResponse> =>
  ask(stage, method, `/integrations/connectors/${id}${more}`, body);
