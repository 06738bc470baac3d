// Packages of completed envelopes in the customer's own bucket: issue "Templates, bulk send, labels, connectors" §5.
import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { FairSlots, SlotsBusyError } from "../../../src/adapters/fair-slots.ts";
import { StorageError } from "../../../src/adapters/storage/object-store.ts";
import { sweepDeliveries } from "../../../workers/signature/sweep-deliveries.ts";
import { call, expectError } from "../../support/rest-client.ts";
import { ConnectorStage, of } from "./connector-stage.ts";
import { dossierOf } from "./dossier-stage.ts";
import { ask, type EnvelopeStage } from "./envelope-stage.ts";
import { chain } from "./sending-stage.ts";

let connectors: ConnectorStage;
/** An organization with one completed envelope. */
let stage: EnvelopeStage;
let envelopeId: string;
beforeAll(async () => {
  connectors = await ConnectorStage.open();
  stage = await connectors.organization();
  envelopeId = (await connectors.completed(stage)).id;
});
afterAll(() => connectors.close());
beforeEach(async () => {
  await admin("delete from signature.connectors where tenant_id = $1", [stage.tenantId]);
  connectors.storage.answer(200);
  connectors.storage.clear();
});

const digest = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

/** SHA-256 of what the sender downloads: the sealed document, and the report. */
async function downloads(stage: EnvelopeStage, id: string, documentId: string): Promise<string[]> {
  const { body } = await ask(stage, "GET", `/envelopes/${id}/documents/${documentId}/download`);
  const document = await fetch(body.url.replace("http://selo.test", stage.selo.baseUrl));
  const report = await call(stage.selo, "GET", `/envelopes/${id}/evidence`, {
    token: stage.token,
    headers: { accept: "application/pdf" },
  });
  return [digest(Buffer.from(await document.arrayBuffer())), digest(report.bytes)];
}

describe("a completed envelope", () => {
  test("is delivered to each active connector: the bytes that its sender downloads", async () => {
    const stage = await connectors.organization();
    const id = await connectors.connector(stage, { prefix: "selo/contratos ção" });
    const other = await connectors.connector(stage);
    await of(stage, "POST", other, "/disable");
    const { id: envelopeId, documentId } = await connectors.completed(stage);
    const delivery = await connectors.delivery(stage, id);
    expect(delivery).toMatchObject({ envelope_id: envelopeId, status: "pending", attempts: 0, error: null });
    expect(await connectors.deliveries(stage, other)).toEqual([]);
    const order = ["id", "connector_id", "envelope_id", "status", "attempts", "error", "created_at", "delivered_at"];
    expect(Object.keys(delivery)).toEqual(order);
    expect(await connectors.jobs([delivery.id])).toMatchObject([{ queue: `connector:${id}` }]);

    await connectors.deliver(stage, delivery.id);
    const { body: envelope } = await ask(stage, "GET", `/envelopes/${envelopeId}`);
    const [year, month] = envelope.completed_at.split("-");
    const folder = `/contracts/selo/contratos%20%C3%A7%C3%A3o/${year}/${month}/${envelopeId}`;
    const { puts } = connectors.storage;
    expect(puts.map(({ path }) => path)).toEqual([`${folder}/1-${documentId}.pdf`, `${folder}/report.pdf`]);
    expect(puts.map(({ sha256 }) => sha256)).toEqual(await downloads(stage, envelopeId, documentId));
    expect(await connectors.delivery(stage, id)).toMatchObject({ status: "delivered", attempts: 1, error: null });
  });
});

describe("a connector that takes dossiers", () => {
  test("gets one object: the bytes that the sender downloads, and the same ones in the next attempt", async () => {
    const id = await connectors.connector(stage, { prefix: "selo", content: "dossier" });
    const since = new Date(Date.now() - 24 * 3_600_000).toISOString();
    expect((await of(stage, "POST", id, "/replay", { since })).body).toEqual({ queued: 1 });
    const { id: deliveryId } = await connectors.delivery(stage, id);
    connectors.storage.answer(503);
    await connectors.deliver(stage, deliveryId);
    connectors.storage.answer(200);
    await connectors.deliver(stage, deliveryId);
    const { body: envelope } = await ask(stage, "GET", `/envelopes/${envelopeId}`);
    const [year, month] = envelope.completed_at.split("-");
    const dossier = await dossierOf(stage, envelopeId);
    expect(dossier.status).toBe(200);
    const { puts } = connectors.storage;
    expect(puts.map(({ path, sha256, headers }) => [path, sha256, headers["content-type"]])).toEqual(
      Array(2).fill([`/contracts/selo/${year}/${month}/${envelopeId}.zip`, digest(dossier.bytes), "application/zip"]),
    );
    expect(puts[0]?.headers["x-amz-content-sha256"]).toBe(puts[0]?.sha256);
    expect(await connectors.delivery(stage, id)).toMatchObject({ status: "delivered", attempts: 2, error: null });
  });
});

/** A connector, and the delivery of the envelope's package to it. */
async function aDelivery() {
  const id = await connectors.connector(stage);
  const since = new Date(Date.now() - 24 * 3_600_000).toISOString();
  expect((await of(stage, "POST", id, "/replay", { since })).body).toEqual({ queued: 1 });
  const { id: deliveryId } = await connectors.delivery(stage, id);
  return { id, envelopeId, deliveryId };
}
const statusOf = async (id: string) => {
  const { status, disabled_reason } = (await of(stage, "GET", id)).body;
  return [status, disabled_reason];
};
const admin = (text: string, values: unknown[]) => connectors.selo.database.admin.query(text, values);
const mails = async () =>
  (
    await admin(
      "select kind, data from platform.mails where tenant_id = $1 and kind = 'connector_disabled' order by id",
      [stage.tenantId],
    )
  ).rows;

describe("an answer decides what follows", () => {
  test.each([408, 429, 500, 503])("%i: tried again, 10 s later", async (status) => {
    const { id, deliveryId } = await aDelivery();
    connectors.storage.answer(status);
    await connectors.deliver(stage, deliveryId);
    expect(await connectors.delivery(stage, id)).toMatchObject({
      status: "pending",
      attempts: 1,
      error: { status, code: "http_status" },
    });
    const [job] = await connectors.jobs([deliveryId]);
    expect(job?.seconds).toBeCloseTo(10, -1);
    connectors.storage.answer(200);
    await connectors.deliver(stage, deliveryId);
    expect(await connectors.delivery(stage, id)).toMatchObject({ status: "delivered", attempts: 2, error: null });
  });

  test.each([401, 403, 404])(
    "%i: the connector is disabled, its contact is told, and the delivery waits",
    async (status) => {
      await admin("update platform.organizations set contact_email = 'a@example.com' where id = $1", [stage.tenantId]);
      const { id, deliveryId } = await aDelivery();
      connectors.storage.answer(status);
      await connectors.deliver(stage, deliveryId);
      expect(await statusOf(id)).toEqual(["disabled", "refused"]);
      expect(await connectors.delivery(stage, id)).toMatchObject({
        status: "pending",
        attempts: 1,
        error: { status, code: "http_status" },
      });
      expect((await mails()).slice(-1)).toMatchObject([{ data: { id, name: "Archive", bucket: "contracts", status } }]);
      expect(await chain(connectors, id)).toEqual(["connector.created", "connector.replayed", "connector.disabled"]);
    },
  );

  test.each([301, 307, 400, 405, 411])("%i: this delivery fails", async (status) => {
    const { id, deliveryId } = await aDelivery();
    connectors.storage.answer(status);
    await connectors.deliver(stage, deliveryId);
    const code = status < 400 ? "redirect" : "http_status";
    expect(await connectors.delivery(stage, id)).toMatchObject({ status: "failed", error: { status, code } });
    expect(await statusOf(id)).toEqual(["active", null]);
    expect(connectors.storage.puts).toHaveLength(1);
  });

  test.each([
    ["another time", 403, "RequestTimeTooSkewed"],
    ["a pause on the way", 400, "RequestTimeout"],
    ["half of a body", 400, "IncompleteBody"],
    ["another PUT at the same time", 409, "OperationAborted"],
  ])("the word for %s passes: tried again, and the connector stays active", async (_name, status, word) => {
    const { id, deliveryId } = await aDelivery();
    connectors.storage.answer({ status, word });
    await connectors.deliver(stage, deliveryId);
    const error = { status, code: word };
    expect(await connectors.delivery(stage, id)).toMatchObject({ status: "pending", attempts: 1, error });
    expect(await statusOf(id)).toEqual(["active", null]);
    connectors.storage.answer(200);
    await connectors.deliver(stage, deliveryId);
    expect(await connectors.delivery(stage, id)).toMatchObject({ status: "delivered", error: null });
  });

  test.each([
    ["region, by a redirect", 301, "PermanentRedirect"],
    ["region", 400, "AuthorizationHeaderMalformed"],
    ["bucket", 400, "InvalidBucketName"],
    ["access key", 403, "InvalidAccessKeyId"],
  ])(
    "a wrong %s: the connector is disabled, its contact reads the word, and the delivery waits",
    async (_name, status, word) => {
      await admin("update platform.organizations set contact_email = 'a@example.com' where id = $1", [stage.tenantId]);
      const { id, deliveryId } = await aDelivery();
      connectors.storage.answer({ status, word });
      await connectors.deliver(stage, deliveryId);
      expect(await statusOf(id)).toEqual(["disabled", "refused"]);
      const error = { status, code: word };
      expect(await connectors.delivery(stage, id)).toMatchObject({ status: "pending", attempts: 1, error });
      expect((await mails()).slice(-1)).toMatchObject([{ data: { id, ...error } }]);
    },
  );

  test("a reset: tried again; the fourteenth attempt is the last, some thirty hours after the first", async () => {
    const { id, deliveryId } = await aDelivery();
    connectors.storage.answer((request) => void request.socket.resetAndDestroy());
    await connectors.deliver(stage, deliveryId);
    expect(await connectors.delivery(stage, id)).toMatchObject({
      status: "pending",
      error: { status: null, code: "connection_reset" },
    });
    const { rows } = await admin(
      "select sum(extract(epoch from signature.package_delay(n)))::float / 3600 as hours from generate_series(1, 13) as n",
      [],
    );
    expect(rows[0].hours).toBeCloseTo(30, 0);
    await admin("update signature.package_deliveries set tries = 13 where id = $1", [deliveryId]);
    await connectors.deliver(stage, deliveryId);
    expect(await connectors.delivery(stage, id)).toMatchObject({ status: "failed", attempts: 2 });
    // Whatever job is left finds nothing to do.
    connectors.storage.answer(200);
    await connectors.deliver(stage, deliveryId);
    expect(connectors.storage.puts).toEqual([]);
  });

  test("an address that is no longer allowed: tried again, and nothing is sent", async () => {
    const { id, deliveryId } = await aDelivery();
    await connectors.deliver(stage, deliveryId, { allowsLoopback: false });
    expect((await connectors.delivery(stage, id)).error).toEqual({ status: null, code: "url_refused" });
    expect(connectors.storage.puts).toEqual([]);
  });
});

describe("while a connector is disabled", () => {
  test("deliveries wait without an attempt, and enabling sends them", async () => {
    const { id, deliveryId } = await aDelivery();
    await of(stage, "POST", id, "/disable");
    await of(stage, "POST", id, "/disable");
    expect(await statusOf(id)).toEqual(["disabled", "manual"]);
    await connectors.deliver(stage, deliveryId);
    expect(await connectors.delivery(stage, id)).toMatchObject({ status: "pending", attempts: 0, error: null });
    await admin("select graphile_worker.remove_job($1)", [`signature__deliver_package:${deliveryId}`]);
    expect((await of(stage, "POST", id, "/enable")).body).toMatchObject({ status: "active", disabled_reason: null });
    expect(await connectors.jobs([deliveryId])).toHaveLength(1);
    await connectors.deliver(stage, deliveryId);
    expect(await connectors.delivery(stage, id)).toMatchObject({ status: "delivered" });
  });

  test("a replay is 409, and brings what was missed once it is enabled", async () => {
    const id = await connectors.connector(stage);
    await of(stage, "POST", id, "/disable");
    expect(await connectors.deliveries(stage, id)).toEqual([]);
    const since = new Date(Date.now() - 3_600_000).toISOString();
    expectError(await of(stage, "POST", id, "/replay", { since }), 409, "conflict");
    await of(stage, "POST", id, "/enable");
    expect((await of(stage, "POST", id, "/replay", { since })).body).toEqual({ queued: 1 });
    expect(await connectors.delivery(stage, id)).toMatchObject({ envelope_id: envelopeId, status: "pending" });
  });
});

test("a connector that is removed leaves neither a job nor its queue behind", async () => {
  const { id, deliveryId } = await aDelivery();
  const queues = async () =>
    (await admin("select from graphile_worker._private_job_queues where queue_name = $1", [`connector:${id}`]))
      .rowCount;
  expect([await queues(), (await connectors.jobs([deliveryId])).length]).toEqual([1, 1]);
  expect((await of(stage, "DELETE", id)).status).toBe(204);
  expect([await queues(), (await connectors.jobs([deliveryId])).length]).toEqual([0, 0]);
});

describe("POST …/replay", () => {
  const days = (count: number) => new Date(Date.now() - count * 24 * 3_600_000).toISOString();

  test("queues what was completed in the period, and what waits already only once", async () => {
    const { id, envelopeId, deliveryId } = await aDelivery();
    const replay = async (body: object) => {
      const { status, body: answer } = await of(stage, "POST", id, "/replay", body);
      expect(status).toBe(202);
      return answer.queued;
    };
    expect(await replay({ since: days(1) })).toBe(0);
    await connectors.deliver(stage, deliveryId);
    const before = connectors.storage.puts.map(({ path, sha256 }) => [path, sha256]);
    connectors.storage.clear();
    expect(await replay({ since: days(89), until: days(1) })).toBe(0);
    expect(await replay({ since: days(1) })).toBe(1);
    expect(await chain(connectors, id)).toEqual(["connector.created", "connector.replayed", "connector.replayed"]);
    const [again] = await connectors.deliveries(stage, id, "?status=pending");
    expect(again).toMatchObject({ envelope_id: envelopeId, attempts: 0 });
    expect(await connectors.jobs([again?.id ?? ""])).toHaveLength(1);
    await connectors.deliver(stage, again?.id ?? "");
    expect(connectors.storage.puts.map(({ path, sha256 }) => [path, sha256])).toEqual(before);
    expect((await connectors.deliveries(stage, id)).map(({ id: each }) => each)).toEqual([again?.id, deliveryId]);
    expect(await connectors.deliveries(stage, id, "?status=pending")).toEqual([]);
    expect(await connectors.deliveries(stage, id, "?status=delivered&limit=1")).toMatchObject([{ id: again?.id }]);
    expect(await connectors.deliveries(stage, id, "?status=failed,pending")).toEqual([]);
    expect(await connectors.deliveries(stage, id, "?status=failed,delivered&limit=1")).toMatchObject([
      { id: again?.id },
    ]);
  });

  test("more than 90 days back, or backwards, is 422", async () => {
    const id = await connectors.connector(stage);
    expectError(await of(stage, "POST", id, "/replay", { since: days(91) }), 422, "invalid_request", ["since"]);
    expectError(await of(stage, "POST", id, "/replay", {}), 422, "invalid_request", ["since"]);
    const backwards = { since: days(1), until: days(2) };
    expectError(await of(stage, "POST", id, "/replay", backwards), 422, "invalid_request", ["until"]);
    expect((await of(stage, "POST", id, "/replay", { since: days(89) })).status).toBe(202);
  });
});

describe("a fault of our own", () => {
  test("between two PUTs: the next attempt writes the same", async () => {
    const { id, deliveryId } = await aDelivery();
    let count = 0;
    const sender: typeof connectors.parts.sender = {
      put: (...given) => {
        if (++count === 2) throw new Error("the worker is gone");
        return connectors.parts.sender.put(...given);
      },
    };
    await expect(connectors.deliver(stage, deliveryId, { sender })).rejects.toThrow("the worker is gone");
    expect(await connectors.delivery(stage, id)).toMatchObject({ status: "pending", attempts: 1 });
    await connectors.deliver(stage, deliveryId);
    const written = connectors.storage.puts.map(({ path, sha256 }) => `${path} ${sha256}`);
    expect(written).toHaveLength(3);
    expect(written[1]).toBe(written[0]);
    expect(await connectors.delivery(stage, id)).toMatchObject({ status: "delivered", attempts: 2, error: null });
  });

  test("a storage of ours that is away: the job fails and is tried again", async () => {
    const { id, deliveryId } = await aDelivery();
    const { objects } = connectors.parts;
    const away: typeof objects = Object.create(objects, {
      size: { value: () => Promise.reject(new StorageError("away", "the storage is away")) },
    });
    await expect(connectors.deliver(stage, deliveryId, { objects: away })).rejects.toThrow("cannot be read");
    expect(await connectors.delivery(stage, id)).toMatchObject({
      status: "pending",
      error: { status: null, code: "unavailable" },
    });
    await connectors.deliver(stage, deliveryId);
    expect(await connectors.delivery(stage, id)).toMatchObject({ status: "delivered" });
  });

  test("a worker that dies in the last attempt: the delivery fails", async () => {
    const { id, deliveryId } = await aDelivery();
    await admin("update signature.package_deliveries set tries = 14 where id = $1", [deliveryId]);
    await connectors.deliver(stage, deliveryId);
    expect(await connectors.delivery(stage, id)).toMatchObject({
      status: "failed",
      error: { status: null, code: "interrupted" },
    });
  });

  test("no place in the worker: comes back a second later, and no attempt is counted", async () => {
    const { id, deliveryId } = await aDelivery();
    const slots = Object.assign(Object.create(connectors.parts.slots), {
      run: () => Promise.reject(new SlotsBusyError("too many")),
    });
    await connectors.deliver(stage, deliveryId, { slots });
    expect(await connectors.delivery(stage, id)).toMatchObject({ status: "pending", attempts: 0 });
    expect((await connectors.jobs([deliveryId]))[0]?.seconds).toBeCloseTo(1, 0);
  });
});

describe("several packages of a connector", () => {
  /** An organization with completed envelopes, whose packages wait in the order of their completion. */
  async function waiting(count: number) {
    const stage = await connectors.organization();
    const id = await connectors.connector(stage);
    const envelopes: string[] = [];
    for (let place = 0; place < count; place++) envelopes.push((await connectors.completed(stage)).id);
    const deliveries = (await connectors.deliveries(stage, id)).reverse();
    expect(deliveries.map((delivery) => delivery.envelope_id)).toEqual(envelopes);
    return { stage, id, deliveries: deliveries.map((delivery) => delivery.id) };
  }
  const states = async (stage: EnvelopeStage, id: string) =>
    (await connectors.deliveries(stage, id)).reverse().map(({ status, attempts }) => [status, attempts]);
  const jobsOf = async (ids: readonly string[]) => (await connectors.jobs(ids)).map((job) => job.id);

  test("a job takes the next ones along, oldest first, and their jobs go; not what is tried later", async () => {
    const { stage, id, deliveries } = await waiting(5);
    const [first = "", second = "", third = "", fourth = "", fifth = ""] = deliveries;
    connectors.storage.answer(503);
    await connectors.deliver(stage, second);
    connectors.storage.answer(200);
    // Two go at once. A storage that refuses both ends the turn: the last one waits for its own job.
    let count = 0;
    const sender: typeof connectors.parts.sender = {
      put: (...given) => {
        if (++count === 3) connectors.storage.answer(503);
        return connectors.parts.sender.put(...given);
      },
    };
    await connectors.deliver(stage, first, { sender });
    expect(await states(stage, id)).toEqual([
      ["delivered", 1],
      ["pending", 1],
      ["pending", 1],
      ["pending", 1],
      ["pending", 0],
    ]);
    expect(await jobsOf(deliveries)).toHaveLength(5);
    connectors.storage.answer(200);
    await connectors.deliver(stage, fifth);
    expect(await jobsOf(deliveries)).toHaveLength(5);
    for (const each of [second, third, fourth]) await connectors.deliver(stage, each);
    expect(await states(stage, id)).toEqual([
      ["delivered", 1],
      ["delivered", 2],
      ["delivered", 2],
      ["delivered", 2],
      ["delivered", 1],
    ]);

    const since = new Date(Date.now() - 24 * 3_600_000).toISOString();
    expect((await of(stage, "POST", id, "/replay", { since })).body).toEqual({ queued: 5 });
    const again = (await connectors.deliveries(stage, id, "?status=pending")).map((delivery) => delivery.id).reverse();
    connectors.storage.clear();
    await connectors.deliver(stage, again[0] ?? "");
    expect(await connectors.deliveries(stage, id, "?status=pending")).toEqual([]);
    expect(connectors.storage.puts).toHaveLength(10);
    // The job that ran is the queue's own to remove.
    expect(await jobsOf(again)).toEqual([again[0]]);
  });

  test("a worker that dies with one that it took along: its own job delivers it", async () => {
    const { stage, id, deliveries } = await waiting(2);
    const [first = "", second = ""] = deliveries;
    let count = 0;
    const sender: typeof connectors.parts.sender = {
      put: (...given) => {
        if (++count === 4) throw new Error("the worker is gone");
        return connectors.parts.sender.put(...given);
      },
    };
    await expect(connectors.deliver(stage, first, { sender })).rejects.toThrow("the worker is gone");
    expect(await states(stage, id)).toEqual([
      ["delivered", 1],
      ["pending", 1],
    ]);
    expect(await jobsOf([second])).toEqual([second]);
    await connectors.deliver(stage, second);
    expect((await states(stage, id))[1]).toEqual(["delivered", 2]);
  });

  test("a job that should stop takes none along", async () => {
    const { stage, id, deliveries } = await waiting(2);
    const stopping = new AbortController();
    const sender: typeof connectors.parts.sender = {
      put: async (...given) => {
        const outcome = await connectors.parts.sender.put(...given);
        if (given[0].name.endsWith("/report.pdf")) stopping.abort();
        return outcome;
      },
    };
    await connectors.deliver(stage, deliveries[0] ?? "", { sender }, stopping.signal);
    expect(await states(stage, id)).toEqual([
      ["delivered", 1],
      ["pending", 0],
    ]);
  });
});

describe("the report of a package", () => {
  test("is made once, and anew when the organization has another name; the old one is removed", async () => {
    const stage = await connectors.organization();
    const { id: envelopeId, documentId } = await connectors.completed(stage);
    let made = 0;
    const reports: typeof connectors.parts.reports = {
      make: (...given) => {
        made++;
        return connectors.parts.reports.make(...given);
      },
    };
    const since = new Date(Date.now() - 24 * 3_600_000).toISOString();
    const id = await connectors.connector(stage);
    const other = await connectors.connector(stage);
    const delivered = async (connector: string) => {
      expect((await of(stage, "POST", connector, "/replay", { since })).body).toEqual({ queued: 1 });
      const [delivery] = await connectors.deliveries(stage, connector, "?status=pending");
      connectors.storage.clear();
      await connectors.deliver(stage, delivery?.id ?? "", { reports });
      return connectors.storage.puts.map(({ sha256 }) => sha256);
    };
    const kept = async () =>
      (await admin("select object_id, sha256 from signature.envelope_reports where envelope_id = $1", [envelopeId]))
        .rows[0];

    const first = await delivered(id);
    expect(first).toEqual(await downloads(stage, envelopeId, documentId));
    const { object_id, sha256 } = await kept();
    expect(sha256.toString("hex")).toBe(first[1]);
    expect(await delivered(id)).toEqual(first);
    expect(await delivered(other)).toEqual(first);
    expect(made).toBe(1);

    await admin("update platform.organizations set name = 'Another name' where id = $1", [stage.tenantId]);
    const renamed = await delivered(id);
    expect(made).toBe(2);
    expect(renamed).toEqual(await downloads(stage, envelopeId, documentId));
    expect(renamed[1]).not.toBe(first[1]);
    expect((await kept()).object_id).not.toBe(object_id);
    const { rows } = await admin(
      `select count(*)::integer as count from graphile_worker._private_jobs as job
       where job.payload ->> 'object_id' = $1`,
      [object_id],
    );
    expect(rows).toEqual([{ count: 1 }]);

    await admin(
      "update signature.envelope_reports set created_at = now() - interval '91 days' where envelope_id = $1",
      [envelopeId],
    );
    await sweepDeliveries({}, connectors.worker.context);
    expect(await kept()).toBeUndefined();
    expect(await delivered(id)).toEqual(renamed);
    expect(made).toBe(3);
  });

  test("opens for its own envelope only, and is made anew where it does not open", async () => {
    const stage = await connectors.organization();
    const id = await connectors.connector(stage);
    const [one, two] = [await connectors.completed(stage), await connectors.completed(stage)];
    const [, first] = await connectors.deliveries(stage, id);
    await connectors.deliver(stage, first?.id ?? "");
    await admin(
      `update signature.envelope_reports as report set object_id = other.object_id, size = other.size, sha256 = other.sha256
       from signature.envelope_reports as other where report.envelope_id = $1 and other.envelope_id = $2`,
      [one.id, two.id],
    );
    const since = new Date(Date.now() - 24 * 3_600_000).toISOString();
    await of(stage, "POST", id, "/replay", { since });
    const [, again] = await connectors.deliveries(stage, id, "?status=pending");
    connectors.storage.clear();
    await connectors.deliver(stage, again?.id ?? "");
    const own = await downloads(stage, one.id, one.documentId);
    expect(connectors.storage.puts.map(({ sha256 }) => sha256)).toEqual(expect.arrayContaining(own));
    const { rows } = await admin("select sha256 from signature.envelope_reports where envelope_id = $1", [one.id]);
    expect(rows[0].sha256.toString("hex")).toBe(own[1]);
  });

  test("that two deliveries make at once is kept once, and the object of the second goes", async () => {
    const stage = await connectors.organization();
    const { id: envelopeId } = await connectors.completed(stage);
    const ids = [await connectors.connector(stage), await connectors.connector(stage)];
    const since = new Date(Date.now() - 24 * 3_600_000).toISOString();
    for (const id of ids) await of(stage, "POST", id, "/replay", { since });
    let [waiting, arrived] = [0, () => {}];
    const both = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const reports: typeof connectors.parts.reports = {
      make: async (...given) => {
        if (++waiting === ids.length) arrived();
        await both;
        return connectors.parts.reports.make(...given);
      },
    };
    await Promise.all(
      ids.map(async (id) => {
        const [delivery] = await connectors.deliveries(stage, id);
        // Two workers: each has its own places.
        const slots = new FairSlots(1, { perGroup: 1, mostOfGroup: 1, most: 1 });
        await connectors.deliver(stage, delivery?.id ?? "", { reports, slots });
      }),
    );
    const { rows } = await admin(
      `select report.object_id, job.payload ->> 'object_id' as removed from signature.envelope_reports as report
       cross join graphile_worker._private_jobs as job
       where report.envelope_id = $1 and job.payload ->> 'tenant_id' = $2 and job.payload ->> 'object_id' is not null`,
      [envelopeId, stage.tenantId],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0].removed).not.toBe(rows[0].object_id);
  });
});

test("a delivery goes with its connector, and an old one by itself", async () => {
  const { id, deliveryId } = await aDelivery();
  const other = await aDelivery();
  const rows = async () =>
    (await admin("select id from signature.package_deliveries where tenant_id = $1 order by id", [stage.tenantId]))
      .rows;
  expect(await rows()).toHaveLength(2);
  await admin(
    "update signature.package_deliveries set created_at = now() - interval '91 days' where connector_id = $1",
    [other.id],
  );
  await sweepDeliveries({}, connectors.worker.context);
  expect((await rows()).map((row) => row.id)).toContain(deliveryId);
  expect(await connectors.deliveries(stage, other.id)).toEqual([]);
  expect((await of(stage, "DELETE", id)).status).toBe(204);
  expect(await rows()).toEqual([]);
  await connectors.deliver(stage, deliveryId);
  expect(connectors.storage.puts).toEqual([]);
  expectError(await of(stage, "GET", id, "/deliveries"), 404, "not_found");
});
