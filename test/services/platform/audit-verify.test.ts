// `selo audit verify` says which event was edited, removed, reordered or truncated; each done here as a superuser.
import { randomBytes, randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHybridSigner, generateHybridSeeds } from "../../../src/adapters/crypto/hybrid-signature.ts";
import type { KeptElsewhere } from "../../../src/services/platform/audit/verify-audit.ts";
import { readSeals } from "../../../src/verifier/audit-seals.ts";
import { keyId } from "../../../src/verifier/key-ids.ts";
import { readKeys } from "../../../src/verifier/keys.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { inContext, ownerPool } from "../../support/owner.ts";
import { verifyAll } from "../../support/verify-all.ts";

const TABLES = [
  ...["platform.audit_events", "platform.audit_seals", "platform.audit_seal_leaves", "platform.audit_seal_roots"],
  ...["platform.platform_keys", "platform.settings", "platform.organizations", "platform.projects", "platform.tokens"],
  ...["platform.credentials", "platform.public_codes", "platform.credit_ledger", "platform.credit_balances"],
  "signature.proofs",
];

let selo: TestGateway;
let organization: TestOrganization;
let kept: KeptElsewhere;
/** A chain of eight events: five under seal 1, six under seal 2, and two that no seal covers. */
const subject = randomUUID();
/** A proof that both seals cover, and one that neither does. */
let sealedProof: string;
let newProof: string;
let newToken: string;
let newOrganization: string;
beforeAll(async () => {
  selo = await startTestGateway();
  const owner = ownerPool(selo.database);
  organization = await selo.newOrganization();
  const other = await selo.newOrganization();
  const add = (count: number) =>
    inContext(owner, organization.id, "live", async (client) => {
      for (let event = 0; event < count; event++)
        await client.query("select platform.record_audit_event('thing.changed', 'thing', $1, $2, $3)", [
          subject,
          { event },
          { name: "Ana" },
        ]);
    });
  const register = async (token: string) => {
    const answer = await fetch(`${selo.baseUrl}/api/v1/proofs`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ sha256: randomBytes(32).toString("hex") }),
    });
    return ((await answer.json()) as { id: string }).id;
  };
  for (const token of [organization.test, other.live, other.test])
    await Promise.all(Array.from({ length: 10 }, () => register(token)));
  sealedProof = await register(organization.live);
  await add(5);
  await selo.seal();
  await add(1);
  await selo.seal();
  await add(2);
  newProof = await register(organization.live);
  newToken = (await selo.operator.createToken(organization.id, "live", "new", ["proofs:read"])).id;
  newOrganization = (await selo.operator.createOrganization({ name: "New" })).id;
  const [keys, seals] = await Promise.all(
    ["platform-key", "audit-seals"].map(async (name) => (await fetch(`${selo.baseUrl}/api/v1/public/${name}`)).text()),
  );
  kept = { keys: readKeys(keys ?? ""), seals: readSeals(seals ?? "") };
  await owner.end();
  await selo.database.admin.query("create schema saved");
  for (const table of TABLES)
    await selo.database.admin.query(`create table saved.${table.split(".")[1]} as table ${table}`);
});
afterAll(async () => {
  await selo.stop();
});

type Statement = readonly [text: string, ...values: unknown[]];
const NOTHING_KEPT: KeptElsewhere = { keys: null, seals: null };

/** What is found after statements of a superuser who lifts the triggers, as `place: fault`, sorted; then all is as it was. */
async function found(statements: readonly Statement[], elsewhere = NOTHING_KEPT): Promise<string[]> {
  await asSuperuser(async (client) => {
    for (const [text, ...values] of statements)
      expect({ text, rows: (await client.query(text, values)).rowCount }).not.toEqual({ text, rows: 0 });
  });
  try {
    const { faults } = await verifyAll(selo.operator, { kept: elsewhere });
    return faults.map(({ subject_id, seq, fault }) => `${nameOf(subject_id)} ${seq}: ${fault}`).sort();
  } finally {
    await asSuperuser(async (client) => {
      for (const table of TABLES) {
        await client.query(`delete from ${table}`);
        await client.query(`insert into ${table} overriding system value table saved.${table.split(".")[1]}`);
      }
    });
  }
}

async function asSuperuser(work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await selo.database.admin.connect();
  try {
    await client.query("begin");
    await client.query("set local session_replication_role = replica");
    await work(client);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
}

function nameOf(subjectId: string | null): string {
  const names: Record<string, string> = {
    [subject]: "thing",
    [sealedProof]: "sealed proof",
    [newProof]: "new proof",
    [newToken]: "new token",
    [newOrganization]: "new organization",
    [organization.id]: "organization",
    "00000000-0000-0000-0000-000000000000": "platform",
  };
  return subjectId === null ? "seal" : (names[subjectId] ?? subjectId);
}

const set = (seq: number, change: string): Statement => [
  `update platform.audit_events set ${change} where subject_id = $1 and seq = $2`,
  subject,
  seq,
];
const remove = (seq: number, last = seq): Statement => [
  "delete from platform.audit_events where subject_id = $1 and seq between $2 and $3",
  subject,
  seq,
  last,
];
const rehash = (seq: number): Statement => [
  `update platform.audit_events as event set prev_hash = before.hash,
     hash = platform.audit_event_hash(jsonb_populate_record(event, jsonb_build_object('prev_hash', before.hash)))
   from platform.audit_events as before
   where event.subject_id = $1 and event.seq = $2 and before.subject_id = $1 and before.seq = $2 - 1`,
  subject,
  seq,
];
const rehashFrom = (first: number, last = 8) =>
  Array.from({ length: last - first + 1 }, (_, place) => rehash(first + place));

test("untouched, everything is as it was recorded: several organizations and environments, sealed and not, erased", async () => {
  const report = await verifyAll(selo.operator, { kept });
  expect(report).toMatchObject({ faults: [], seals: 2 });
  expect(report.events).toBeGreaterThan(40);
  expect(report.unsealed_events).toBe(5);
  expect(await found([["update platform.audit_events set personal = null where personal is not null"]], kept)).toEqual(
    [],
  );
  const one = await verifyAll(selo.operator, { organizationId: organization.id });
  expect(one).toMatchObject({ faults: [], seals: 0 });
});

describe("an edited event", () => {
  test.each([
    ["action", "action = 'thing.made'"],
    ["details", `details = '{"event":7}'`],
    ["details, in another form", `details = '{"event": 2}'`],
    ["time", "occurred_at = occurred_at + interval '1 microsecond'"],
    ["actor", "actor_id = gen_random_uuid()"],
    ["actor's type", "actor_type = 'operator'"],
    ["channel", "channel = 'rest'"],
    ["request", "request_id = 'x'"],
    ["commitments", "commitments = '{}', personal = null"],
    ["subject's type", "subject_type = 'other'"],
    ["id", "id = gen_random_uuid()"],
    ["hash", "hash = sha256('x')"],
  ])("%s", async (_, change) => {
    expect(await found([set(3, change)])).toContainEqual("thing 3: edited: the hash does not match the event");
  });

  test("moved to the other environment is missing here, and unsealed there", async () => {
    const faults = await found([set(3, "environment = 'test'")]);
    expect(faults).toContainEqual("thing 3: removed: an event is missing between 2 and 4");
    expect(faults).toContainEqual("thing 3: edited: the hash does not match the event");
  });

  test("with its hash recomputed: the event after it does not continue it", async () => {
    expect(await found([set(3, "action = 'thing.made'"), rehash(3)])).toEqual([
      "thing 4: broken: the event does not continue the previous event",
    ]);
    expect(await found([set(7, "action = 'thing.made'"), rehash(7)])).toEqual([
      "thing 8: broken: the event does not continue the previous event",
    ]);
  });

  test("with all hashes after it recomputed: what was sealed is another; after the last seal nothing tells", async () => {
    expect(await found([set(3, "action = 'thing.made'"), ...rehashFrom(3)])).toEqual([
      "thing 5: rewritten: seal 1 covers another event at this place",
      "thing 6: rewritten: seal 2 covers another event at this place",
    ]);
    expect(await found([set(6, "action = 'thing.made'"), ...rehashFrom(6)])).toEqual([
      "thing 6: rewritten: seal 2 covers another event at this place",
    ]);
    expect(await found([set(7, "action = 'thing.made'"), ...rehashFrom(7)])).toEqual([]);
  });

  test("without a value that its hash needs, so that no hash can be made", async () => {
    const admin = (change: string) =>
      selo.database.admin.query(`alter table platform.audit_events alter column commitments ${change} not null`);
    await admin("drop");
    try {
      expect(await found([set(3, "commitments = null, actor_id = gen_random_uuid()")])).toContainEqual(
        "thing 3: edited: the hash does not match the event",
      );
    } finally {
      await admin("set");
    }
  });

  test("personal data", async () => {
    expect(await found([set(3, `personal = jsonb_set(personal, '{name,value}', '"Eva"')`)])).toEqual([
      "thing 3: edited: the personal data do not match their commitments",
    ]);
    expect(await found([set(3, "personal = personal - 'name'")])).toEqual([
      "thing 3: edited: the personal data do not match their commitments",
    ]);
  });
});

describe("removed, reordered, truncated", () => {
  test("one in the middle, and several", async () => {
    expect(await found([remove(3)])).toEqual(["thing 3: removed: an event is missing between 2 and 4"]);
    expect(await found([remove(3, 4)])).toEqual(["thing 3: removed: 2 events are missing between 2 and 5"]);
    expect(await found([remove(1)])).toEqual(["thing 1: removed: an event is missing between 0 and 2"]);
  });

  test("one, with those after it moved up", async () => {
    const up = [4, 5, 6, 7, 8].map((seq) => set(seq, "seq = seq - 1"));
    const faults = await found([remove(3), ...up]);
    expect(faults[0]).toBe("thing 3: reordered: the event was at place 4");
    expect(await found([remove(3), ...up, ...rehashFrom(3, 7)])).toEqual([
      "thing 5: rewritten: seal 1 covers another event at this place",
      "thing 6: rewritten: seal 2 covers another event at this place",
    ]);
  });

  test("two that changed places", async () => {
    expect(await found([set(3, "seq = 100"), set(4, "seq = 3"), set(100, "seq = 4")])).toEqual([
      "thing 3: reordered: the event was at place 4",
      "thing 4: reordered: the event was at place 3",
      "thing 5: broken: the event does not continue the previous event",
    ]);
  });

  test("the end of a chain: found up to the last seal, and not after it", async () => {
    expect(await found([remove(6, 8)])).toEqual(["thing 6: truncated: seal 2 covers 6 events, and 5 exist"]);
    expect(await found([remove(7, 8)])).toEqual([]);
  });

  test("a whole chain that was sealed", async () => {
    expect(await found([remove(1, 8)])).toEqual([
      "thing 5: truncated: seal 1 covers 5 events, and 0 exist",
      "thing 6: truncated: seal 2 covers 6 events, and 0 exist",
    ]);
  });

  test("whole chains that no seal covers yet, where what they are about is there", async () => {
    const chain = (id: string): Statement => ["delete from platform.audit_events where subject_id = $1", id];
    expect(await found([chain(newProof)])).toEqual([
      "new proof 1: truncated: the proof exists, and its chain is missing",
      expect.stringMatching(/^organization 1: the movement .{36} has no matching event$/),
    ]);
    expect(await found([chain(newToken)])).toEqual([
      "new token 1: truncated: the token exists, and its chain is missing",
    ]);
    expect(await found([chain(newOrganization)])).toEqual([
      "new organization 1: truncated: the organization exists, and its chain is missing",
    ]);
  });

  test("an organization with everything about it", async () => {
    const tables = TABLES.filter((table) =>
      /events|leaves|roots|token|credentials|proofs|codes|credit|projects/.test(table),
    );
    const all = tables.map((table): Statement => [`delete from ${table} where tenant_id = $1`, organization.id]);
    const itself: Statement = ["delete from platform.organizations where id = $1", organization.id];
    expect(await found([...all, itself])).toEqual([
      "seal 1: the roots of the organizations are not those that were sealed",
      expect.stringMatching(/^seal 1: the tree has \d+ chains, and the seal names \d+$/),
      "seal 2: the roots of the organizations are not those that were sealed",
      expect.stringMatching(/^seal 2: the tree has \d+ chains, and the seal names \d+$/),
    ]);
    const butRoots = all.filter(([text]) => !text.includes("roots"));
    expect(await found([...butRoots, itself])).toEqual([
      `seal 1: the sealed heads of organization ${organization.id} are not those that were sealed`,
      `seal 2: the sealed heads of organization ${organization.id} are not those that were sealed`,
    ]);
    const butLeaves = butRoots.filter(([text]) => !text.includes("leaves"));
    expect(await found([...butLeaves, itself])).toContainEqual(
      "thing 6: truncated: seal 2 covers 6 events, and 0 exist",
    );
    // Its projects are there.
    expect(await found([itself])).toEqual(["organization 1: the organization differs from what was recorded"]);
  });
});

describe("what events are about", () => {
  test("a proof that was deleted, or whose evidence is another", async () => {
    for (const [id, name] of [
      [sealedProof, "sealed proof"],
      [newProof, "new proof"],
    ]) {
      expect(await found([["delete from signature.proofs where id = $1", id]])).toEqual([
        `${name} 1: a verification code leads to no proof with this code`,
        `${name} 1: the proof that was registered is gone`,
      ]);
      expect(await found([["update signature.proofs set evidence = evidence || ' ' where id = $1", id]])).toEqual([
        `${name} 1: its Ed25519 signature does not verify`,
        `${name} 1: its ML-DSA-87 signature does not verify`,
        `${name} 1: the evidence is not canonical`,
        `${name} 1: the evidence of the proof differs from what was registered`,
      ]);
    }
  });

  test("a token that was deleted", async () => {
    expect(await found([["delete from platform.tokens where id = $1", newToken]])).toEqual([
      "new token 1: the token that a credential opens does not exist",
      "new token 1: the token that was created is gone",
    ]);
  });

  test("a setting, and when the audit trail began", async () => {
    expect(await found([["update platform.settings set value = 'x' where name = 'public_url'"]])).toEqual([
      expect.stringMatching(/^platform \d: the setting public_url differs from what was recorded$/),
    ]);
    const later =
      "update platform.settings set value = platform.instant(now() + interval '1 day') where name = 'audit_began_at'";
    expect(await found([[later]])).toContainEqual(
      expect.stringMatching(/^platform \d+: the setting audit_began_at differs from what was recorded$/),
    );
  });
});

describe("seals", () => {
  const seal = (number: number, change: string): Statement => [
    `update platform.audit_seals set ${change} where number = $1`,
    number,
  ];

  test("edited", async () => {
    expect(await found([seal(1, "root = sha256('x')")])).toEqual([
      "seal 1: the evidence differs from the row of the seal",
      "seal 1: the roots of the organizations are not those that were sealed",
    ]);
    const evidence = `evidence = replace(evidence, '"chains":', '"chains":1')`;
    expect(await found([seal(1, evidence)])).toEqual([
      ...["seal 1: its Ed25519 signature does not verify", "seal 1: its ML-DSA-87 signature does not verify"],
      ...[
        "seal 1: the evidence differs from the row of the seal",
        "seal 2: the evidence does not hold the hash of the previous seal",
      ],
    ]);
    expect(await found([seal(2, "sealed_at = sealed_at - interval '1 day'")])).toEqual([
      "seal 2: the evidence differs from the row of the seal",
    ]);
    expect(
      await found([
        seal(1, "platform_signature = set_byte(platform_signature, 9, 1 + get_byte(platform_signature, 9) % 255)"),
      ]),
    ).toEqual(["seal 1: its Ed25519 signature does not verify"]);
  });

  test("removed: one before another is missed here, the last one by whoever kept a copy", async () => {
    expect(await found([["delete from platform.audit_seals where number = 1"]])).toEqual([
      "seal 2: the previous seal is missing",
    ]);
    const last: Statement = ["delete from platform.audit_seals where number = 2"];
    expect(await found([last])).toEqual([]);
    expect(await found([last], kept)).toEqual(["seal 2: the seal is in the copy kept elsewhere and missing here"]);
  });

  test("forged: the evidence of another, and one without signatures", async () => {
    const forged: Statement = [
      `insert into platform.audit_seals select 3, sealed_at, chains, root, replace(evidence, '"number":2', '"number":3'),
         platform_key_id, decode(repeat('00', 64), 'hex'), platform_pq_key_id, decode(repeat('00', 4627), 'hex')
       from platform.audit_seals where number = 2`,
    ];
    expect(await found([forged])).toEqual([
      "seal 3: its Ed25519 signature does not verify",
      "seal 3: its ML-DSA-87 signature does not verify",
      "seal 3: the evidence does not hold the hash of the previous seal",
    ]);
  });

  test("rewritten and signed anew with other keys: whoever kept the platform's keys, or the seals, notices", async () => {
    const signer = createHybridSigner(generateHybridSeeds());
    const [ed25519, mlDsa87] = [
      keyId("Ed25519", signer.publicKeys.ed25519),
      keyId("ML-DSA-87", signer.publicKeys.mlDsa87),
    ];
    const old = JSON.parse(
      (await selo.database.admin.query("select evidence from platform.audit_seals order by number")).rows[1]
        ?.evidence ?? "",
    );
    const evidence = JSON.stringify({ ...old, key_id: ed25519, pq_key_id: mlDsa87 }, Object.keys(old).sort());
    const signatures = await signer.sign(Buffer.from(evidence));
    const addKey = (id: string, algorithm: string, publicKey: Buffer): Statement => [
      `insert into platform.platform_keys (key_id, environment, algorithm, public_key, sealed_seed, status, retired_at)
       values ($1, 'live', $2, $3, '\\x00', 'retired', now())`,
      id,
      algorithm,
      publicKey,
    ];
    const rewritten: Statement[] = [
      addKey(ed25519, "Ed25519", signer.publicKeys.ed25519),
      addKey(mlDsa87, "ML-DSA-87", signer.publicKeys.mlDsa87),
      [
        `update platform.audit_seals set evidence = $1, platform_key_id = $2, platform_signature = $3,
           platform_pq_key_id = $4, platform_signature_pq = $5 where number = 2`,
        ...[evidence, ed25519, signatures.ed25519, mlDsa87, signatures.mlDsa87],
      ],
    ];
    const noEvent = [ed25519, mlDsa87].map((id) => `platform 1: the key ${id} has no event`);
    const unkept = [ed25519, mlDsa87].map(
      (id) => `seal null: the key ${id} is not in the copy kept elsewhere: it was made later, or by somebody else`,
    );
    expect(await found(rewritten)).toEqual(noEvent);
    expect(await found(rewritten, { ...kept, seals: null })).toEqual([
      ...noEvent,
      "seal 2: a key that signed it is not known",
      ...unkept,
    ]);
    expect(await found(rewritten, { ...kept, keys: null })).toEqual([
      ...noEvent,
      "seal 2: the seal differs from the copy kept elsewhere",
    ]);
  });

  test("an old head rewritten with its chain before the next seal, which then covers it: the old seal's own tree tells", async () => {
    // As if seal 2 had been made after it: its leaves and roots are right, over what had been rewritten.
    const rewritten: Statement[] = [
      set(3, "action = 'thing.made'"),
      ...rehashFrom(3),
      [
        `update platform.audit_seal_leaves as leaf set hash = event.hash from platform.audit_events as event
         where leaf.subject_id = $1 and event.subject_id = leaf.subject_id and event.seq = leaf.seq`,
        subject,
      ],
    ];
    const faults = await found(rewritten);
    expect(faults).toContain(
      `seal 1: the sealed heads of organization ${organization.id} are not those that were sealed`,
    );
  });

  test("a head moved to where nobody looks, and its chain rewritten", async () => {
    const check = "constraint audit_seal_leaves_environment_check";
    await selo.database.admin.query(`alter table platform.audit_seal_leaves drop ${check}`);
    try {
      const hidden: Statement = [
        "update platform.audit_seal_leaves set environment = 'none' where subject_id = $1",
        subject,
      ];
      expect(await found([hidden, set(3, "action = 'thing.made'"), ...rehashFrom(3)])).toEqual([
        `seal 1: the sealed head of ${subject} has no known environment`,
        `seal 2: the sealed head of ${subject} has no known environment`,
        "thing 5: truncated: seal 1 covers 5 events, and 0 exist",
        "thing 6: truncated: seal 2 covers 6 events, and 0 exist",
      ]);
    } finally {
      await selo.database.admin.query(
        `alter table platform.audit_seal_leaves add ${check} check (environment in ('live', 'test'))`,
      );
    }
  });

  test("heads and roots that are not those that were sealed", async () => {
    const leaf = "where subject_id = $1 and seal_number = $2";
    const heads = `seal 2: the sealed heads of organization ${organization.id} are not those that were sealed`;
    expect(await found([[`update platform.audit_seal_leaves set hash = sha256('x') ${leaf}`, subject, 2]])).toEqual([
      heads,
      "thing 6: rewritten: seal 2 covers another event at this place",
    ]);
    expect(await found([[`delete from platform.audit_seal_leaves ${leaf}`, subject, 2]])).toEqual([heads]);
    expect(
      await found([
        [
          "update platform.audit_seal_roots set root = sha256('x') where tenant_id = $1 and seal_number = 2",
          organization.id,
        ],
      ]),
    ).toEqual(["seal 2: the roots of the organizations are not those that were sealed", heads].sort());
  });
});
