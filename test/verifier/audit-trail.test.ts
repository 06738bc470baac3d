// A program that knows src/verifier/README.md only checks what GET /audit and the public list of seals answer.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../support/gateway.ts";
import { inContext, ownerPool } from "../support/owner.ts";
import { call } from "../support/rest-client.ts";

const README = fs.readFileSync(new URL("../../src/verifier/README.md", import.meta.url), "utf8");
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-audit-"));
let selo: TestGateway;
let organization: TestOrganization;
let keys: object;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization({ name: "Açaí & Filhos" });
  const owner = ownerPool(selo.database);
  await inContext(owner, organization.id, "live", async (client) => {
    for (let event = 1; event <= 4; event++)
      await client.query("select platform.record_audit_event('thing.changed', 'thing', $1, $2, $3)", [
        organization.id,
        { event, note: 'é "quoted" \\ \u2028 😀', list: [1, true, null] },
        { name: "Ana" },
      ]);
  });
  await owner.end();
  await selo.seal();
  await selo.seal();
  keys = (await call(selo, "GET", "/public/platform-key")).body;
});
afterAll(async () => {
  fs.rmSync(folder, { recursive: true });
  await selo.stop();
});

interface Checked {
  readonly hashes: readonly string[];
  readonly faults: readonly string[];
  readonly root: string | null;
}

function check(events: object, seals: object): Checked {
  const files = Object.entries({ events, seals, keys }).map(([name, value]) => {
    const file = path.join(folder, `${name}.json`);
    fs.writeFileSync(file, JSON.stringify(value));
    return file;
  });
  return JSON.parse(
    execFileSync("python3", [path.join(import.meta.dirname, "audit_trail.py"), ...files], { encoding: "utf8" }),
  );
}

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
async function answers(): Promise<{ events: any; seals: any }> {
  const { body } = await call(selo, "GET", `/audit?subject_id=${organization.id}`, { token: organization.live });
  const seals = (await call(selo, "GET", "/public/audit-seals")).body;
  return { events: { items: body.items, tenant_id: organization.id, environment: "live" }, seals };
}

test("a chain and the seals hold", async () => {
  const { events, seals } = await answers();
  // Made, granted, and four changes.
  expect(events.items).toHaveLength(6);
  const { hashes, faults } = check(events, seals);
  expect(faults).toEqual([]);
  expect(hashes.toReversed()).toEqual(events.items.map(({ hash }: { hash: string }) => hash));
  expect(seals.items).toHaveLength(2);
});

test("the root that was sealed is the one over all chains", async () => {
  const { rows } = await selo.database.admin.query<{ tenant: string; chain: unknown[] }>(
    `select tenant_id as tenant, json_build_array(subject_id, environment, max(seq), (array_agg(encode(hash, 'hex') order by seq desc))[1]) as chain
     from platform.audit_events group by tenant_id, environment, subject_id`,
  );
  const heads = Object.fromEntries(
    Map.groupBy(rows, ({ tenant }) => tenant)
      .entries()
      .map(([tenant, chains]) => [tenant, chains.map(({ chain }) => chain)]),
  );
  const { events, seals } = await answers();
  const { root } = check({ ...events, heads }, seals);
  expect(root).toBe(seals.items[0].root);
  expect(rows).toHaveLength(seals.items[0].chains);
});

test("what was changed is found", async () => {
  const { events, seals } = await answers();
  const edited = structuredClone(events);
  edited.items[2].details.event = 9;
  expect(check(edited, seals).faults).toEqual(["event 4 was edited", "event 5 does not continue the one before it"]);
  const removed = structuredClone(events);
  removed.items.splice(2, 1);
  expect(check(removed, seals).faults).toContain("event 4 is missing");
  const forged = structuredClone(seals);
  forged.items[1].evidence.root = "0".repeat(64);
  expect(check(events, forged).faults).toEqual([
    "seal 1: Ed25519",
    "seal 1: ML-DSA-87",
    "seal 2 does not name the one before it",
  ]);
});

describe("the README's example", () => {
  const [, text = ""] = /^(\{"action":"token\.created".*\})$/m.exec(README) ?? [];
  const shown = (name: string) => new RegExp(`^\\| ${name} \\| \`([0-9a-f]+)\` \\|$`, "m").exec(README)?.[1] ?? name;
  const sha256 = (...parts: (string | Buffer)[]) => {
    const hash = createHash("sha256");
    for (const part of parts) hash.update(part);
    return hash.digest("hex");
  };

  test("has these hashes", () => {
    expect(sha256(Buffer.alloc(32), text)).toBe(shown("hash of the event, the first of its chain"));
    const { commitments, subject } = JSON.parse(text);
    expect(sha256(Buffer.from(shown("salt of the address"), "hex"), "203.0.113.7")).toBe(commitments.address);
    const subjectId = Buffer.from(subject.id.replaceAll("-", ""), "hex");
    const seq = Buffer.from("0000000000000001", "hex");
    const leaf = Buffer.concat([subjectId, seq, Buffer.from(sha256(Buffer.alloc(32), text), "hex")]);
    expect(leaf.toString("hex")).toBe(shown("leaf of its chain"));
    expect(sha256(Buffer.alloc(1), leaf)).toBe(shown("root of an organization with this chain alone"));
  });

  test("is what SQL makes of such an event", async () => {
    const event = JSON.parse(text);
    const { rows } = await selo.database.admin.query(
      `select platform.audit_event_text(event) as text, encode(platform.audit_event_hash(event), 'hex') as hash
       from jsonb_populate_record(null::platform.audit_events, $1) as event`,
      [
        JSON.stringify({
          ...event,
          id: event.event_id,
          subject_type: event.subject.type,
          subject_id: event.subject.id,
          actor_type: event.actor.type,
          actor_id: event.actor.id,
          details: '{"prefix":"svc_live_AbCdEf","scopes":["proofs:read"]}',
          commitments: JSON.stringify(event.commitments),
          prev_hash: `\\x${"00".repeat(32)}`,
        }),
      ],
    );
    expect(rows).toEqual([{ text, hash: shown("hash of the event, the first of its chain") }]);
  });
});
