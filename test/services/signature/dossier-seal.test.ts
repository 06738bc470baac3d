// seal.json of dossiers, which python3 checks with RFC 9162 alone; and the reports that dossiers keep.
import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { OpensslStage } from "../../adapters/time-stamp/authority-stage.ts";
import { type Worker, workerOf } from "../../support/compose-mails.ts";
import { parseExposition } from "../../support/exposition.ts";
import { startGatewayBeside, startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { call } from "../../support/rest-client.ts";
import { complete, completing, decline, type SentWith, sentWith, storeContents } from "./completion-stage.ts";
import { dossierOf, type UnpackedDossier, unpacked } from "./dossier-stage.ts";
import { anEnvelope, type EnvelopeStage, openStage } from "./envelope-stage.ts";
import { aSession } from "./signing-stage.ts";

const METRICS_TOKEN = "m".repeat(40);
const PROGRAM = fileURLToPath(new URL("../../verifier/seal_path.py", import.meta.url));

let selo: TestGateway;
let stage: EnvelopeStage;
let worker: Worker;
beforeAll(async () => {
  selo = await startTestGateway({ METRICS_TOKEN });
  stage = await openStage(selo);
  worker = workerOf(stage);
});
afterAll(async () => {
  await worker?.end();
  await selo?.stop();
});

const admin = async (text: string, values: readonly unknown[] = []) =>
  (await selo.database.admin.query(text, [...values])).rows;

async function completed(): Promise<SentWith> {
  const sent = await sentWith(stage);
  await complete(stage, sent.links[0]);
  await completing(stage, sent.id, worker);
  return sent;
}

async function declined(): Promise<SentWith> {
  const sent = await sentWith(stage);
  await storeContents(stage, sent.id, worker);
  await decline(stage, sent.links[0]);
  return sent;
}

async function dossier(id: string): Promise<UnpackedDossier & { readonly bytes: Buffer }> {
  const { bytes } = await dossierOf(stage, id);
  const found = unpacked(bytes);
  onTestFinished(found.remove);
  return { ...found, bytes };
}

const json = (of: UnpackedDossier, name: string) => JSON.parse(of.read(name).toString());
const faultsOf = (folder: string): string[] =>
  JSON.parse(execFileSync("python3", [PROGRAM, folder], { encoding: "utf8" })).faults;

describe("seal.json", () => {
  test("leads from the last event of evidence.json to the seal, as everybody may read it; SHA256SUMS names it", async () => {
    const { id } = await completed();
    const before = await dossier(id);
    expect(before.names).not.toContain("seal.json");
    expect(before.read("README.txt").toString()).not.toContain("seal.json");
    const number = await selo.seal();
    const sealed = await dossier(id);
    expect(faultsOf(sealed.folder)).toEqual([]);
    expect(sealed.names.indexOf("seal.json")).toBe(sealed.names.indexOf("evidence.json") + 1);
    execFileSync("sha256sum", ["-c", "--strict", "SHA256SUMS"], { cwd: sealed.folder });
    expect(sealed.read("README.txt").toString()).toContain("seal.json");
    expect(sealed.read("LEIA-ME.txt").toString()).toContain("seal.json");
    const { body } = await call(selo, "GET", "/public/audit-seals");
    const { seal, dated, witnessed } = json(sealed, "seal.json");
    expect(seal).toEqual(body.items.find((item: { number: number }) => item.number === number));
    expect([dated, witnessed]).toEqual([null, null]);
    // Nothing but the events' sealed_by, seal.json and what speaks of it is new.
    const { events, ...others } = json(before, "evidence.json");
    const now = json(sealed, "evidence.json");
    expect({ ...now, events: now.events.map((event: object) => ({ ...event, sealed_by: null })) }).toEqual({
      ...others,
      events,
    });
    expect(sealed.read("report.pdf").equals(before.read("report.pdf"))).toBe(true);
  });

  test("stays as it is with each further seal, while nothing happens in the envelope", async () => {
    const { id } = await completed();
    await selo.seal();
    const { bytes } = await dossierOf(stage, id);
    // Two new chains, so both trees change.
    await anEnvelope(stage);
    await openStage(selo);
    await selo.seal();
    expect((await dossierOf(stage, id)).bytes.equals(bytes)).toBe(true);
  });

  test("moves on with the events after the completion, once these are sealed: evidence.json then has them", async () => {
    const { id, links } = await completed();
    await aSession(stage, links[0]);
    const before = json(await dossier(id), "evidence.json").events;
    expect(before.at(-1).action).toBe("envelope.completed");
    await selo.seal();
    const sealed = await dossier(id);
    expect(faultsOf(sealed.folder)).toEqual([]);
    const later = json(sealed, "evidence.json").events;
    expect(later.length).toBeGreaterThan(before.length);
    // What no seal covers yet is not told.
    await aSession(stage, links[0]);
    expect((await dossier(id)).bytes.equals(sealed.bytes)).toBe(true);
    await selo.seal();
    const again = await dossier(id);
    expect(faultsOf(again.folder)).toEqual([]);
    expect(json(again, "evidence.json").events.length).toBeGreaterThan(later.length);
  });

  test("is there for an envelope that was declined, and not before its end is covered", async () => {
    const sent = await sentWith(stage);
    await storeContents(stage, sent.id, worker);
    await selo.seal();
    await decline(stage, sent.links[0]);
    const before = await dossier(sent.id);
    expect(before.names).not.toContain("seal.json");
    expect(json(before, "evidence.json").events.at(-1).action).toBe("envelope.declined");
    await selo.seal();
    const sealed = await dossier(sent.id);
    expect(faultsOf(sealed.folder)).toEqual([]);
    expect(json(sealed, "evidence.json").events).toHaveLength(json(before, "evidence.json").events.length);
  });

  test("leads to the seal from each of many chains and organizations", async () => {
    const other = await openStage(selo);
    for (let place = 0; place < 5; place++) await anEnvelope(other);
    const ids = [];
    for (let place = 0; place < 4; place++) ids.push((await declined()).id);
    await selo.seal();
    const places = new Set<number>();
    for (const id of ids) {
      const { folder } = await dossier(id);
      expect(faultsOf(folder)).toEqual([]);
      const told = JSON.parse(fs.readFileSync(path.join(folder, "seal.json"), "utf8"));
      places.add(told.organization_path.index);
      // The check can fail: a hash of the path is another.
      told.organization_path.hashes[0] = "00".repeat(32);
      fs.writeFileSync(path.join(folder, "seal.json"), JSON.stringify(told));
      expect(faultsOf(folder)).toEqual(["seal_path"]);
    }
    expect(places.size).toBe(ids.length);
  });

  test("is refused where rows are not what was sealed: a server error", async () => {
    const { id } = await declined();
    await selo.seal();
    const [head] = await admin("select hash from platform.audit_seal_leaves where subject_id = $1", [id]);
    const write = async (hash: Buffer) => {
      await admin("alter table platform.audit_seal_leaves disable trigger append_only");
      await admin("update platform.audit_seal_leaves set hash = $2 where subject_id = $1", [id, hash]);
      await admin("alter table platform.audit_seal_leaves enable trigger append_only");
    };
    await write(randomBytes(32));
    expect((await dossierOf(stage, id)).status).toBe(500);
    await write(head.hash);
    expect((await dossierOf(stage, id)).status).toBe(200);
  });
});

describe("platform.merkle_path", () => {
  const hash = (...parts: readonly Uint8Array[]) => createHash("sha256").update(Buffer.concat(parts)).digest();
  /** RFC 9162, §2.1.1 and §2.1.3.1, as they are written: by halves. */
  const half = (count: number) => 2 ** Math.floor(Math.log2(count - 1));
  const rootOf = (leaves: readonly Buffer[]): Buffer => {
    if (leaves.length === 1) return leaves[0] as Buffer;
    const k = half(leaves.length);
    return hash(Buffer.of(1), rootOf(leaves.slice(0, k)), rootOf(leaves.slice(k)));
  };
  const pathOf = (index: number, leaves: readonly Buffer[]): Buffer[] => {
    if (leaves.length === 1) return [];
    const k = half(leaves.length);
    return index < k
      ? [...pathOf(index, leaves.slice(0, k)), rootOf(leaves.slice(k))]
      : [...pathOf(index - k, leaves.slice(k)), rootOf(leaves.slice(0, k))];
  };

  test("is the path of the RFC for each leaf of each tree up to 33 leaves", async () => {
    const all = Array.from({ length: 33 }, (_, place) => hash(Buffer.of(0, place)));
    const asked = all.flatMap((_, last) => Array.from({ length: last + 1 }, (__, index) => [last + 1, index] as const));
    const rows = await admin(
      `select path.hashes, path.root from json_array_elements($1) with ordinality as asked (value, place)
       cross join lateral platform.merkle_path(substring($2::bytea, 1, (asked.value ->> 0)::integer * 32), (asked.value ->> 1)::bigint) as path
       order by asked.place`,
      [JSON.stringify(asked), Buffer.concat(all)],
    );
    expect(rows).toEqual(
      asked.map(([size, index]) => {
        const leaves = all.slice(0, size);
        return { hashes: pathOf(index, leaves), root: rootOf(leaves) };
      }),
    );
  });

  test("there is none for a leaf that is not there", async () => {
    for (const index of [-1, 2])
      expect(await admin("select (platform.merkle_path($1, $2)).*", [Buffer.alloc(64), index])).toEqual([
        { hashes: null, root: null },
      ]);
  });
});

describe("the report of a dossier", () => {
  const sealedPdfs = async () => {
    const answer = await fetch(`${selo.baseUrl}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
    return parseExposition(await answer.text()).value("selo_pdfs_sealed_total");
  };
  const ask = (id: string, method: string, headers: Readonly<Record<string, string>> = {}) =>
    call(selo, method, `/envelopes/${id}/dossier`, { token: stage.token, headers });
  const kept = async (id: string) =>
    (await admin("select object_id, sha256 from signature.envelope_reports where envelope_id = $1", [id]))[0];

  test.each(["completed", "declined"])(
    "of an envelope that was %s is made once, for GET, HEAD and 304",
    async (how) => {
      const { id } = how === "completed" ? await completed() : await declined();
      const before = await sealedPdfs();
      const first = await ask(id, "GET");
      expect(await sealedPdfs()).toBe(before + 1);
      const head = await ask(id, "HEAD");
      expect([head.status, head.headers.get("content-length")]).toEqual([200, String(first.bytes.length)]);
      const etag = first.headers.get("etag") ?? "";
      expect(head.headers.get("etag")).toBe(etag);
      expect((await ask(id, "GET", { "if-none-match": etag })).status).toBe(304);
      expect((await ask(id, "GET")).bytes.equals(first.bytes)).toBe(true);
      // Another gateway reads the same one.
      const beside = await startGatewayBeside(selo);
      try {
        const other = await dossierOf({ selo: { ...selo, baseUrl: beside.baseUrl }, token: stage.token }, id);
        expect(other.bytes.equals(first.bytes)).toBe(true);
        expect(other.headers.get("etag")).toBe(etag);
      } finally {
        await beside.stop();
      }
      expect(await sealedPdfs()).toBe(before + 1);
      const pdf = unpacked(first.bytes);
      onTestFinished(pdf.remove);
      expect((await kept(id)).sha256).toEqual(createHash("sha256").update(pdf.read("report.pdf")).digest());
    },
  );

  test("is made anew once the operator has another certificate, and kept from then on", async () => {
    const openssl = new OpensslStage();
    onTestFinished(() => openssl.end());
    for (const name of ["first", "second"]) openssl.issue(name, "signer", { key: "rsa:2048" });
    const files = { certificate: openssl.file("own.pem"), key: openssl.file("own.key") };
    const put = (name: string) => {
      fs.copyFileSync(openssl.file(`${name}.pem`), files.certificate);
      fs.copyFileSync(openssl.file(`${name}.key`), files.key);
    };
    put("first");
    const beside = await startGatewayBeside(selo, {
      SEAL_CERTIFICATE_FILE: files.certificate,
      SEAL_KEY_FILE: files.key,
    });
    onTestFinished(() => beside.stop());
    const { id } = await declined();
    const keptAfterwards = async () => {
      await dossierOf({ selo: { ...selo, baseUrl: beside.baseUrl }, token: stage.token }, id);
      return (await kept(id)).object_id;
    };
    const first = await keptAfterwards();
    expect(await keptAfterwards()).toBe(first);
    put("second");
    const second = await keptAfterwards();
    expect(second).not.toBe(first);
    expect(await keptAfterwards()).toBe(second);
  });

  test("is made anew with another name of the organization, and kept from then on", async () => {
    const { id } = await declined();
    await ask(id, "GET");
    const first = await kept(id);
    await admin("update platform.organizations set name = name || ' Ltda' where id = $1", [stage.tenantId]);
    await ask(id, "GET");
    const renamed = await kept(id);
    expect(renamed.sha256).not.toEqual(first.sha256);
    const before = await sealedPdfs();
    await ask(id, "GET");
    expect(await sealedPdfs()).toBe(before);
  });

  test("that cannot be read is made anew, and kept instead", async () => {
    const { id } = await completed();
    const { bytes } = await ask(id, "GET");
    const first = await kept(id);
    // As after a backup of another day.
    const folder = selo.config.storageFolder;
    const [file] = fs
      .readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => path.basename(name) === first.object_id);
    fs.rmSync(path.join(folder, file ?? ""));
    expect((await ask(id, "GET")).bytes.equals(bytes)).toBe(true);
    const second = await kept(id);
    expect(second.object_id).not.toBe(first.object_id);
    expect(second.sha256).toEqual(first.sha256);
  });
});
