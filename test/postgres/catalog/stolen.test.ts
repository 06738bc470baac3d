// What each stolen thing opens: SECURITY.md says it as a table, and every cell that says "nothing" or "reads" is tried here.
import { createHash, createPrivateKey, hash, randomBytes, randomUUID, sign } from "node:crypto";
import fs from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MasterKeyring } from "../../../src/adapters/crypto/master-keyring.ts";
import { readArchive } from "../../../src/postgres/backup/archive-reader.ts";
import { commands } from "../../../src/postgres/generated/commands.ts";
import { Jobs } from "../../../src/postgres/jobs.ts";
import { totpPurpose } from "../../../src/services/accounts/factors/totp.ts";
import { passwordTag } from "../../../src/services/accounts/sign-in/password-tag.ts";
import { seedPurpose } from "../../../src/services/platform/keys/platform-signers.ts";
import { DataKeys } from "../../../src/services/signature/documents/data-keys.ts";
import { openCode } from "../../../src/services/signature/signing/signing-codes.ts";
import { verifyEd25519 } from "../../../src/verifier/hybrid-signature.ts";
import { addApp, PASSWORD, signedIn } from "../../services/accounts/accounts-stage.ts";
import { aField, type EnvelopeStage } from "../../services/signature/envelope-stage.ts";
import { aHalfSession, CPF, digestOf } from "../../services/signature/factor-stage.ts";
import { act, aSent, type Link } from "../../services/signature/signing-stage.ts";
import { backUp, backupFolder } from "../../support/backup-folder.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { TEST_MASTER_KEY } from "../../support/global-setup.ts";
import { graphql } from "../../support/graphql-client.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { call, expectError } from "../../support/rest-client.ts";
import { objectsOf } from "../../support/uploads.ts";
import { verifyAll } from "../../support/verify-all.ts";

const MARKER = "only the owner's";
const folder = backupFolder();

let selo: TestGateway;
let owner: TestOrganization;
let proofId: string;
/** What is stolen. */
let app: pg.Client;
let worker: pg.Client;
let analyst: pg.Client;
let analystLogin: string;
let thief: TestOrganization;
/** Participants of the owner whose second factor nobody has passed. */
let links: readonly Link[];
/** A field for a file of the first of them. */
let fileField: string;
const envelopes = (): EnvelopeStage => ({ selo, tenantId: owner.id, token: owner.test, environment: "test" });
beforeAll(async () => {
  selo = await startTestGateway();
  owner = await selo.newOrganization({ name: "Owner", email: "owner@example.org" });
  thief = await selo.newOrganization({ name: "Thief" });
  for (const { live } of [owner, thief]) {
    const webhook = { url: "https://example.com/hook", event_types: ["*"] };
    expect((await call(selo, "POST", "/webhooks", { token: live, body: webhook })).status).toBe(201);
    const label = live === owner.live ? MARKER : "the thief's own";
    const sha256 = createHash("sha256").update(label).digest("hex");
    const made = await call(selo, "POST", "/proofs", { token: live, body: { sha256, label } });
    expect(made.status).toBe(201);
    if (live === owner.live) proofId = String(made.body.id);
  }
  const methods = ["cpf", "kba", "identity_match"].map((auth_method) => ({ auth_method, cpf: CPF, order_index: 1 }));
  const asked = { allow_delegation: true, field_placement: "fields" };
  ({ links } = await aSent(envelopes(), methods, asked, async (id, participants, document_id) => {
    for (const participant_id of participants)
      await aField(envelopes(), id, { participant_id, document_id, type: "assinatura" });
    fileField = (await aField(envelopes(), id, { participant_id: participants[0], document_id, type: "anexo" })).id;
  }));
  await selo.seal();
  await backUp(selo.database, folder.file("stolen.backup"), () => objectsOf(selo));
  const made = await selo.operator.createAnalyst(thief.id, "live");
  analystLogin = made.login;
  [app, worker, analyst] = await Promise.all([
    connect(selo.database.appUrl),
    connect(selo.database.workerUrl),
    connect(made.url),
  ]);
  // Meant for honest analysts' mistakes; what is refused must not hang on it.
  await analyst.query("set default_transaction_read_only = off");
});
afterAll(async () => {
  await Promise.all([app?.end(), worker?.end(), analyst?.end()]);
  if (analystLogin !== undefined) await selo.operator.revokeAnalyst(analystLogin);
  await selo?.stop();
  folder.remove();
});

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** What a statement brings, as text; or the code of its refusal. */
async function outcomeOf(client: pg.Client | pg.Pool, text: string, values: unknown[] = []): Promise<string> {
  try {
    return JSON.stringify((await client.query(text, values)).rows);
  } catch (error) {
    return (error as { code: string }).code;
  }
}

async function expectRefused(client: pg.Client, ...statements: string[]): Promise<void> {
  for (const text of statements) expect([text, await outcomeOf(client, text)]).toEqual([text, "42501"]);
}

/** Tables that hold what the columns of the table below are about. */
const DATA = [
  "signature.proofs",
  "webhooks.events",
  "webhooks.endpoints",
  "platform.audit_events",
  "platform.mails",
  "signature.factors",
  "signature.participants",
  "signature.attachments",
];
const readingTables = DATA.map((table) => `select * from ${table}`);
const TOKENS = [
  "select * from platform.credentials",
  "select * from platform.tokens",
  "select platform.create_token(null, 'live', 'x', '{}')",
];
const SEALED = [
  "select sealed_seed from platform.platform_keys",
  "select sealed_secret from webhooks.endpoints",
  "select sealed_secret from accounts.totp_factors",
  "select digest from accounts.recovery_codes",
  "select sealed_secret from accounts.passkeys",
  "select key from secrets.context_key",
];
const EVIDENCE = [
  "insert into signature.proofs select * from signature.proofs",
  "update signature.proofs set label = 'x'",
  "insert into platform.platform_keys select * from platform.platform_keys",
  "select gateway.record_proofs('[]')",
];
const TRAIL = [
  "update platform.audit_events set action = 'x'",
  "delete from platform.audit_events",
  "insert into platform.audit_events select * from platform.audit_events",
  "delete from platform.audit_seals",
  "alter table platform.audit_events disable trigger all",
  "set session_replication_role = replica",
];

/** Commands that ask for a scope, by gateway.call with a credential. */
async function expectNoCommand(client: pg.Client, credential: Buffer | null, expected: string): Promise<void> {
  const asked = Object.entries(commands).filter(([, { scope }]) => scope !== null);
  expect(asked.length).toBeGreaterThan(10);
  for (const [name] of asked) {
    const outcome = await outcomeOf(client, "select gateway.call($1, $2, '{}')", [credential, name]);
    expect([name, outcome]).toEqual([name, expected]);
  }
}

async function expectNoToken(...tokens: string[]): Promise<void> {
  const body = { sha256: "ab".repeat(32) };
  for (const token of tokens) {
    expect((await call(selo, "GET", "/proofs", { token })).status).toBe(401);
    expect((await call(selo, "GET", "/audit", { token })).status).toBe(401);
    expect((await call(selo, "POST", "/proofs", { token, body })).status).toBe(401);
    expect((await graphql(selo, token, "{ proofs { nodes { id } } }")).status).toBe(401);
  }
}

/** Nor in transactions that it takes back: only what another one has announced is compared, and an account has a thousand announcements an hour. */
async function expectNoGuesses(): Promise<void> {
  const { id, email } = await signedIn(selo, owner, "member");
  const network = "203.0.113.7";
  const ask = async (command: string, given: object = {}) => {
    const { rows } = await app.query<{ body: string }>("select body from gateway.call(null, $1, $2)", [
      command,
      { email, network, tag, ...given },
    ]);
    return JSON.parse(rows[0]?.body ?? "");
  };
  let tag = "";
  tag = passwordTag(PASSWORD, await ask("prepare_sign_in", { tag: undefined }));
  const session = () => ({
    live_sha256: randomBytes(32).toString("hex"),
    test_sha256: randomBytes(32).toString("hex"),
  });
  const guesses: unknown[] = [];
  for (const part of ["select 1", "savepoint part", "savepoint part"]) {
    await app.query(`begin; ${part}`);
    await ask("announce_sign_in");
    if (guesses.length === 2) await app.query("release savepoint part");
    guesses.push(await ask("sign_in", session()));
    await app.query("rollback");
  }
  expect(guesses).toEqual(Array(3).fill({ refused: true }));
  expect(await ask("announce_sign_in")).toEqual({ retry_after: null });
  expect(await ask("sign_in", { ...session(), network: "203.0.113.8" })).toEqual({ refused: true });
  expect(await ask("sign_in", session())).toMatchObject({ session: { user: { email } } });
  const announced: number[] = [];
  for (let guess = 0; guess < 1001; guess++)
    announced.push((await ask("announce_sign_in", { tag: guess.toString(16).padStart(64, "0") })).retry_after);
  expect(announced.slice(0, 1000)).toEqual(Array(1000).fill(null));
  expect(announced[1000]).toBeGreaterThan(3000);
  const { rows: events } = await selo.database.admin.query(
    "select action from platform.audit_events where subject_id = $1 order by seq desc limit 1",
    [id],
  );
  expect(events).toEqual([{ action: "user.locked_out" }]);
}

/** A transaction that began before a credential ended sees no end of it: none may look a credential up with such a snapshot. */
async function expectNoOldSnapshot(): Promise<void> {
  const made = await selo.operator.createToken(owner.id, "live", "short", ["proofs:read"]);
  const credential = hash("sha256", made.token, "buffer");
  const asked = ["select gateway.call($1, 'list_proofs', '{}')", "select gateway.enter($1, '{}')"];
  for (const text of asked)
    for (const isolation of ["repeatable read", "serializable"]) {
      await app.query(`begin isolation level ${isolation}`);
      expect([text, isolation, await outcomeOf(app, text, [credential])]).toEqual([text, isolation, "P0001"]);
      await app.query("rollback");
    }
  expect(await outcomeOf(app, "select (gateway.call($1, 'list_proofs', '{}')).status", [credential])).toContain("200");
}

/** With the gateway's login, passwords are tried as a caller tries them: few, whatever address is named. */
async function expectNoSignIn(): Promise<void> {
  const outcomes: string[] = [];
  for (let attempt = 0; attempt < 60; attempt++) {
    const given = {
      email: "owner@example.org",
      network: `192.0.2.${attempt}`,
      tag: "00",
      live_sha256: "00",
      test_sha256: "01",
    };
    const { rows } = await app.query<{ body: string }>("select body from gateway.call(null, 'sign_in', $1)", [given]);
    outcomes.push(Object.keys(JSON.parse(rows[0]?.body ?? "{}")).join());
  }
  expect(outcomes).toEqual([...Array(50).fill("refused"), ...Array(10).fill("retry_after")]);
}

/** With the gateway's login, and even with the password and the session of a person, nobody passes or removes a second factor, or confirms another one. */
async function expectNoFactor(): Promise<void> {
  const { id, email, headers } = await signedIn(selo, owner, "owner");
  await addApp(selo, headers);
  const other = await signedIn(selo, owner, "member");
  await graphql(selo, other.headers, "mutation { beginTotp { uri } }");
  const credentialOf = ({ cookie }: { readonly cookie: string }) =>
    hash("sha256", `${/(?<=inv_session=)[\w-]+/.exec(cookie)?.[0]} live`, "buffer");
  let places = 0;
  const ask = async (command: string, given: object, credential: Buffer | null = null) => {
    const network = `198.51.100.${++places}`;
    const { rows } = await app.query<{ body: string }>("select body from gateway.call($1, $2, $3)", [
      credential,
      command,
      { network, ...given },
    ]);
    return JSON.parse(rows[0]?.body ?? "");
  };
  const signIn = async (given: { readonly tag: string; readonly proof?: string | undefined }) => {
    const network = `198.51.100.${++places}`;
    await ask("announce_sign_in", { email, network, tag: given.tag, proof: given.proof });
    return ask("sign_in", { email, live_sha256: "00", test_sha256: "01", network, ...given });
  };
  expect(await signIn({ tag: "00".repeat(32) })).toEqual({ refused: true });
  const tag = passwordTag(PASSWORD, await ask("prepare_sign_in", { email }));
  const { second_factor: sealed } = await signIn({ tag });
  const bytes = Buffer.from(sealed.sealed_secret, "base64");
  expect(masterKeys.open(bytes, totpPurpose(sealed.id))).toHaveLength(20);
  expect(() => new MasterKeyring(Buffer.alloc(32, 7)).open(bytes, totpPurpose(sealed.id))).toThrow(
    /sealed under master key/,
  );
  // What stands in a backup is no proof, either.
  const { rows: kept } = await selo.database.admin.query<{ secret: string; code: string }>(
    `select encode(secret_digest, 'hex') as secret, encode(code.digest, 'hex') as code
     from accounts.totp_factors as factor join accounts.recovery_codes as code on code.factor_id = factor.id where person_id = $1`,
    [id],
  );
  expect(kept).toHaveLength(10);
  const step = Math.floor(Date.now() / 30_000) + 1;
  const proofs = [kept[0]?.secret, bytes.toString("hex"), "00".repeat(32), ""].map((proof) => ({ proof, step }));
  for (const made of [...proofs, { proof: kept[0]?.code }]) {
    expect(await signIn({ tag, ...made })).toEqual({ refused: true });
    const own = credentialOf(headers);
    expect(await ask("remove_totp", { session_sha256: own.toString("hex"), tag, ...made }, own)).toEqual({
      refused: true,
    });
  }
  const credential = credentialOf(other.headers);
  const confirmed = { session_sha256: credential.toString("hex"), proof: "00".repeat(32), step, codes: [], tag };
  await expect(ask("confirm_totp", confirmed, credential)).rejects.toMatchObject({ code: "PT409" });
}

/** Commands with the link of a participant, by the gateway's login. */
const askWith =
  ({ participantId, secret }: Link) =>
  async (command: string, given: object) => {
    const { rows } = await app.query<{ body: string }>("select body from gateway.call($1, $2, $3)", [
      hash("sha256", secret, "buffer"),
      command,
      { participant_id: participantId, ...given },
    ]);
    return JSON.parse(rows[0]?.body ?? "null");
  };

/** With the gateway's login, and even with the link and the code of a participant, nobody passes the second factor: only the data key makes what is compared. */
async function expectNoFactorOfParticipants(): Promise<void> {
  for (const [place, method] of ["cpf", "kba", "identity_match"].entries()) {
    const link = links[place] as Link;
    const session = await aHalfSession(envelopes(), link);
    const session_sha256 = digestOf(session);
    const ask = askWith(link);
    // Answers come after questions, whoever claims to have asked them.
    if (method === "kba") {
      expect(await ask("count_factor_try", { session_sha256 })).toBeNull();
      const { factor_id } = await ask("open_factor", { session_sha256 });
      await ask("open_factor", { session_sha256, factor_id, reference: "the thief's own" });
    }
    const { factor_id } = await ask("count_factor_try", { session_sha256 });
    const kept = await ask("prepare_factor", { session_sha256 });
    const cpf = CPF.replaceAll(/\D/g, "");
    // Not even with what stands in a backup.
    const { rows } = await selo.database.admin.query<{ digest: string }>(
      "select encode(cpf_digest, 'hex') as digest from signature.participants where id = $1",
      [link.participantId],
    );
    expect(rows[0]?.digest).toHaveLength(64);
    const guesses = [
      rows[0]?.digest,
      digestOf(cpf),
      digestOf(`${link.participantId}:cpf:${cpf}`),
      digestOf(kept.enciphered_cpf),
    ];
    for (const digest of [...guesses, "00".repeat(32), "", null]) {
      const given = { session_sha256, factor_id, digest, reference: "the thief's own" };
      await expect(ask("pass_factor", given), `${method} ${digest}`).rejects.toMatchObject({ code: "PT422" });
    }
    expectError(await act(envelopes(), link, "POST", "/view", { session }), 403, "factor_required");
    // Of a CPF, not even the try comes back: nobody but a provider can fail.
    const given_back = await ask("refuse_factor", { factor_id, gives_back: true });
    expect([method, given_back === null]).toEqual([method, method === "cpf"]);
    if (method === "cpf") continue;
    // Nor without end: a try comes back ten times for one link, and then the link is locked.
    for (let back = 0; back < 9; back++) {
      await ask("count_factor_try", { session_sha256 });
      expect((await ask("refuse_factor", { factor_id, gives_back: true })).tries_left).toBeGreaterThan(0);
    }
    let refused = 0;
    for (; ; refused++) {
      const opened = await ask("open_factor", { session_sha256 }).catch((error: { code: string }) => error.code);
      if (typeof opened !== "object") {
        expect(opened).toBe("PT403");
        break;
      }
      await ask("open_factor", { session_sha256, factor_id: opened.factor_id, reference: "the thief's own" });
      await ask("count_factor_try", { session_sha256 });
      await ask("refuse_factor", { factor_id: opened.factor_id, gives_back: true });
    }
    expect([method, refused]).toEqual([method, method === "kba" ? 2 : 1]);
  }
}

/** With the gateway's login, the code of a participant alone neither hands the turn on nor delivers a file; nor does the link of somebody else. */
async function expectNoTurnAndNoFile(): Promise<void> {
  const [link, other] = links as readonly [Link, Link];
  const session_sha256 = digestOf(await aHalfSession(envelopes(), link));
  const person = { name: "Thief", email: "thief@example.org", cpf_mask: "***.***.***-**", cpf_digest: "00".repeat(32) };
  const file = { field_id: fileField, file_name: "a.png" };
  const stored = { object_id: randomUUID(), size: 1, sha256: "00".repeat(32), type: "image/png" };
  const asked: readonly [string, object][] = [
    ["delegate_turn", person],
    ["prepare_attachment", file],
    ["record_attachment", { ...file, ...stored }],
  ];
  for (const [command, given] of asked) {
    const outcomes = [];
    for (const [holder, session] of [
      [link, session_sha256],
      [link, "00".repeat(32)],
      [link, null],
      [other, session_sha256],
    ] as const)
      outcomes.push(
        await askWith(holder)(command, { ...given, participant_id: link.participantId, session_sha256: session }).catch(
          ({ code }: { code: string }) => code,
        ),
      );
    expect([command, ...outcomes]).toEqual([command, "PT403", "PT401", "PT401", "PT404"]);
    expect(await outcomeOf(app, "select gateway.call(null, $1, $2)", [command, given])).toBe("PT401");
  }
  // A delivered file is the sender's to read, by a token.
  for (const credential of [null, hash("sha256", link.secret, "buffer")])
    expect(
      await outcomeOf(app, "select gateway.call($1, 'find_attachment', $2)", [
        credential,
        { id: link.envelopeId, field_id: fileField },
      ]),
    ).toMatch(/^PT40[13]$/);
}

/** Seeds as their bytes, which nobody has without the master key. */
async function seeds(): Promise<Buffer[]> {
  const { rows } = await selo.database.admin.query<{ key_id: string; sealed_seed: Buffer }>(
    "select key_id, sealed_seed from platform.platform_keys",
  );
  expect(rows.length).toBe(4);
  return rows.map(({ key_id, sealed_seed }) => masterKeys.open(sealed_seed, seedPurpose(key_id)));
}

/** Sealed seeds that a login is given: none opens without the master key, or is a seed. */
async function expectSealed(rows: readonly { key_id: string; sealed_seed: Buffer }[]): Promise<void> {
  expect(rows.length).toBe(4);
  const known = await seeds();
  const other = new MasterKeyring(Buffer.alloc(32, 7));
  for (const { key_id, sealed_seed } of rows) {
    expect(() => other.open(sealed_seed, seedPurpose(key_id))).toThrow(/sealed under master key/);
    for (const seed of known) expect(sealed_seed.includes(seed)).toBe(false);
  }
}
const sealedSeeds = async (client: pg.Client | pg.Pool, from: string) =>
  (await client.query<{ key_id: string; sealed_seed: Buffer }>(`select key_id, sealed_seed from ${from}`)).rows;

/** A backup's content by section. */
async function backup(section: RegExp): Promise<string> {
  const parts: string[] = [];
  for await (const entry of readArchive(folder.file("stolen.backup")))
    if (section.test(entry.section ?? "")) parts.push(entry.content.toString("utf8"));
  expect(parts.length).toBeGreaterThan(0);
  return parts.join("");
}
/** What stands in a backup in place of tokens: 32 bytes for each, in hexadecimal. */
async function hashesOfBackup(kind = "token"): Promise<string[]> {
  const rows = (await backup(/^tables\/platform\.credentials$/)).split("\n");
  const hashes = rows.flatMap((row) =>
    row.split("\t")[1] === kind ? (/^\\\\x([\da-f]{64})\t/.exec(row)?.[1] ?? []) : [],
  );
  expect(hashes).not.toEqual([]);
  return hashes;
}
async function expectSealedBackup(): Promise<void> {
  const text = await backup(/^tables\//);
  expect(text).not.toContain(TEST_MASTER_KEY);
  for (const seed of await seeds()) expect(text).not.toContain(seed.toString("hex"));
}

interface Attempt {
  readonly opens: "nothing" | "reads";
  readonly attempt: () => Promise<void>;
}
const nothing = (attempt: () => Promise<void>): Attempt => ({ opens: "nothing", attempt });
const reads = (attempt: () => Promise<void>): Attempt => ({ opens: "reads", attempt });

/** By row and column of the table. */
const attempts: Readonly<Record<string, Readonly<Record<string, Attempt>>>> = {
  "the gateway's login": {
    data: nothing(async () => {
      await expectRefused(app, ...readingTables);
      const { rows: views } = await selo.database.admin.query<{ name: string }>(
        "select oid::regclass::text as name from pg_class where relkind = 'v' and relnamespace::regnamespace::text in ('api', 'analytics')",
      );
      const { rows: functions } = await selo.database.admin.query<{ call: string }>(
        `select format('select %s.%I(%s)', pronamespace::regnamespace, proname, (select string_agg('null::' || format_type(type, null), ', ')
           from unnest(proargtypes::oid[]) as argument (type))) as call
         from pg_proc where has_function_privilege('selo_app', oid, 'execute') and pronamespace in
           (select oid from pg_namespace where nspowner = 'selo_owner'::regrole and nspname <> 'extensions')`,
      );
      for (const [name, value] of [
        ["app.tenant_id", owner.id],
        ["app.environment", "live"],
        ["app.scopes", "proofs:read billing:read audit:read webhooks:manage"],
      ])
        await app.query("select set_config($1, $2, false)", [name, value]);
      const seen: string[] = [];
      for (const { name } of views) seen.push(await outcomeOf(app, `select * from ${name}`));
      for (const { call: text } of functions) seen.push(await outcomeOf(app, text));
      expect(seen.length).toBeGreaterThan(30);
      expect(seen).toContain("PT401");
      for (const secret of [MARKER, proofId, owner.id]) expect(seen.join("\n")).not.toContain(secret);
    }),
    writing: nothing(() => expectNoCommand(app, null, "PT401")),
    tokens: nothing(async () => {
      await expectRefused(app, ...TOKENS);
      // What it can know of tokens is no credential.
      for (const known of [owner.id, proofId, `token ${owner.id}`])
        expect(
          await outcomeOf(app, "select gateway.enter($1, null)", [createHash("sha256").update(known).digest()]),
        ).toBe("PT401");
      await expectNoSignIn();
      await expectNoGuesses();
      await expectNoOldSnapshot();
    }),
    secrets: nothing(async () => {
      await expectRefused(app, ...SEALED);
      await expectSealed(await sealedSeeds(app, "gateway.signing_keys()"));
      await expectNoFactor();
    }),
    evidence: nothing(async () => {
      await expectRefused(app, ...EVIDENCE);
      await expectNoTurnAndNoFile();
      await expectNoFactorOfParticipants();
    }),
    trail: nothing(() => expectRefused(app, ...TRAIL, "select jobs.record_audit_seal('{}', '', '')")),
  },
  "the worker's login": {
    data: reads(async () => {
      await expectRefused(
        worker,
        ...readingTables,
        "select * from api.proofs",
        "select * from analytics.proofs_per_day",
      );
      const claimed = await outcomeOf(
        worker,
        `select body from jobs.claim_deliveries(gen_random_uuid(), false, '00000000-0000-0000-0000-000000000000', null, null, 100)`,
      );
      expect(claimed).toContain(MARKER);
    }),
    tokens: nothing(() =>
      expectRefused(worker, ...TOKENS, "select gateway.enter(null, null)", "select gateway.call(null, 'list_proofs')"),
    ),
    secrets: nothing(async () => {
      await expectRefused(worker, ...SEALED);
      await expectSealed(await sealedSeeds(worker, "jobs.signing_keys()"));
    }),
    evidence: nothing(() => expectRefused(worker, ...EVIDENCE)),
    trail: nothing(async () => {
      await expectRefused(worker, ...TRAIL);
      // Code of its own, where it may make some, is not run with anybody else's rights.
      await worker.query(`grant usage on schema graphile_worker to public;
        create function graphile_worker.audit_check_own(uuid) returns setof platform.audit_fault language sql as
          $$ select current_user::text, null::uuid, null, null, null::uuid, null::bigint, null::uuid, null $$;
        create function graphile_worker.own() returns uuid language sql as $$ select gen_random_uuid() where current_user <> 'selo_worker' $$;
        create view graphile_worker.own as select graphile_worker.own() as tenant_id`);
      expect(await outcomeOf(worker, "select jobs.audit_check('graphile_worker', 'own', null)")).toBe("42883");
      expect(await outcomeOf(worker, "select jobs.audit_walk('graphile_worker', 'own', '{}', 0)")).toBe("42883");
      expect(await outcomeOf(worker, "select from jobs.audit_checks() where service = 'graphile_worker'")).toBe("[]");
      expect(
        await outcomeOf(worker, `select jobs.audit_unread_rows('{"graphile_worker.own": 7}', null) as faults`),
      ).toBe('[{"faults":null}]');
      await worker.query(
        "drop view graphile_worker.own; drop function graphile_worker.own(), graphile_worker.audit_check_own(uuid)",
      );
      // A seal that the worker's login forges is recorded, and named.
      await graphql(selo, owner.live, `mutation { registerProof(input: {sha256: "${"cd".repeat(32)}"}) { created } }`);
      const recorded = await outcomeOf(
        worker,
        "select jobs.record_audit_seal(payload::text, sha512('x'), decode(repeat('00', 4627), 'hex')) from jobs.prepare_audit_seal() as payload",
      );
      expect(recorded).toBe('[{"record_audit_seal":"2"}]');
      await selo.operator.audit.begin();
      const { faults } = await verifyAll(selo.operator);
      expect(faults).toContainEqual(expect.objectContaining({ subject_type: "seal", seq: 2 }));
    }),
  },
  "an analyst's login": {
    data: reads(async () => {
      await expectRefused(analyst, ...readingTables);
      const seen = await outcomeOf(analyst, "select label from api.proofs");
      expect(seen).toBe('[{"label":"the thief\'s own"}]');
    }),
    writing: nothing(() =>
      expectRefused(
        analyst,
        "select gateway.call(null, 'delete_webhook')",
        "select api.delete_webhook(null)",
        "select jobs.call(null, 'live', 'x')",
        "delete from api.webhook_endpoints",
      ),
    ),
    tokens: nothing(() => expectRefused(analyst, ...TOKENS, "select gateway.enter(null, null)")),
    secrets: nothing(() => expectRefused(analyst, ...SEALED, "select * from gateway.signing_keys()")),
    evidence: nothing(() => expectRefused(analyst, ...EVIDENCE, "update api.proofs set id = id")),
    trail: nothing(() => expectRefused(analyst, ...TRAIL, "update api.audit_events set id = id")),
  },
  "a token": {
    data: reads(async () => {
      const { body } = await call(selo, "GET", "/proofs", { token: thief.live });
      expect(body.total).toBe(1);
      expect(JSON.stringify(body)).not.toContain(MARKER);
      expect((await call(selo, "GET", `/proofs/${proofId}`, { token: thief.live })).status).toBe(404);
    }),
    tokens: nothing(async () => {
      expect((await call(selo, "POST", "/tokens", { token: thief.live, body: {} })).status).toBe(404);
      await expectNoToken(
        createHash("sha256").update(thief.live).digest("base64url"),
        thief.live.replace("live", "test"),
      );
    }),
    secrets: nothing(async () => {
      const { body } = await call(selo, "GET", "/webhooks", { token: thief.live });
      const keys = await graphql(selo, thief.live, '{ __type(name: "PlatformKey") { fields { name } } }');
      expect(JSON.stringify(body)).toContain("https://example.com/hook");
      expect(JSON.stringify([body, keys.data])).not.toMatch(/whsec_|"secret"|seed/i);
    }),
    evidence: nothing(async () => {
      const sha256 = "ef".repeat(32);
      for (const more of [{ registered_at: "2020-01-01T00:00:00Z" }, { evidence: {} }, { platform_signature: "AA==" }])
        expect((await call(selo, "POST", "/proofs", { token: thief.live, body: { sha256, ...more } })).status).toBe(
          422,
        );
    }),
    trail: nothing(async () => {
      for (const method of ["POST", "PUT", "PATCH", "DELETE"])
        expect((await call(selo, method, "/audit", { token: thief.live })).status).toBe(405);
    }),
  },
  "the master key": {
    data: nothing(() => expectNoToken(TEST_MASTER_KEY, ofMasterKey())),
    writing: nothing(() => expectNoToken(TEST_MASTER_KEY, ofMasterKey())),
    tokens: nothing(() => expectNoToken(TEST_MASTER_KEY, ofMasterKey())),
    evidence: nothing(async () => {
      const { rows } = await selo.database.admin.query<{ public_key: Buffer }>(
        "select public_key from platform.platform_keys where algorithm = 'Ed25519'",
      );
      // Seeds are random, and not derived from it.
      const pkcs8 = Buffer.from("302e020100300506032b657004220420", "hex");
      for (const seed of [Buffer.from(TEST_MASTER_KEY, "hex"), masterKeys.derive("platform-key")]) {
        const key = createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: "der", type: "pkcs8" });
        const signature = sign(null, Buffer.from("evidence"), key);
        for (const { public_key } of rows)
          expect(verifyEd25519(public_key, Buffer.from("evidence"), signature)).toBe(false);
      }
    }),
  },
  "a backup": {
    data: reads(async () => {
      expect(await backup(/^tables\/signature\.proofs$/)).toContain(MARKER);
    }),
    writing: nothing(async () => expectNoToken(...asTokens(await hashesOfBackup()))),
    tokens: nothing(async () => expectNoToken(...asTokens(await hashesOfBackup()))),
    secrets: nothing(expectSealedBackup),
    evidence: nothing(expectSealedBackup),
  },
  "a backup and the gateway's login": {
    data: reads(async () => {
      expect(await backup(/^tables\/signature\.proofs$/)).toContain(MARKER);
    }),
    writing: nothing(async () => {
      for (const hash of await hashesOfBackup()) await expectNoCommand(app, Buffer.from(hash, "hex"), "PT401");
      // Nor with the links of participants, whose second factor's digest is in the backup.
      for (const hash of await hashesOfBackup("participant"))
        expect(
          await outcomeOf(app, "select gateway.call($1, 'count_factor_try', '{}')", [Buffer.from(hash, "hex")]),
        ).toBe("PT401");
    }),
    tokens: nothing(async () => {
      for (const hash of await hashesOfBackup())
        expect(await outcomeOf(app, "select gateway.enter($1, null)", [Buffer.from(hash, "hex")])).toBe("PT401");
    }),
    secrets: nothing(async () => {
      await expectSealedBackup();
      await expectSealed(await sealedSeeds(app, "gateway.signing_keys()"));
    }),
    evidence: nothing(() => expectRefused(app, ...EVIDENCE)),
    trail: nothing(() => expectRefused(app, ...TRAIL)),
  },
  "a superuser": {
    data: reads(async () => {
      expect(await outcomeOf(selo.database.admin, "select label from signature.proofs")).toContain(MARKER);
    }),
    secrets: nothing(async () => expectSealed(await sealedSeeds(selo.database.admin, "platform.platform_keys"))),
    evidence: nothing(async () => expectSealed(await sealedSeeds(selo.database.admin, "platform.platform_keys"))),
  },
};

/** A token of the right form, made of the master key. */
const ofMasterKey = () => `svc_live_${Buffer.from(TEST_MASTER_KEY, "hex").toString("base64url")}`;
/** The same of hashes; tried as they are, too. */
function asTokens(hashes: readonly string[]): string[] {
  expect(hashes.length).toBeGreaterThan(3);
  return hashes.flatMap((hash) => [hash, `svc_live_${Buffer.from(hash, "hex").toString("base64url")}`]);
}

/** The table of SECURITY.md: what each cell says, by row and column. */
function table(): { readonly row: string; readonly column: string; readonly cell: string }[] {
  const text = fs.readFileSync(new URL("../../../SECURITY.md", import.meta.url), "utf8");
  const cellsOf = (line: string) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
  const [head = "", , ...lines] = text.slice(text.indexOf("| stolen |")).split("\n\n", 1)[0]?.split("\n") ?? [];
  const [, ...columns] = cellsOf(head);
  return lines.flatMap((line) => {
    const [row = "", ...cells] = cellsOf(line);
    return cells.map((cell, place) => ({ row, column: columns[place] ?? "", cell }));
  });
}
const tried = table().filter(({ cell }) => /^(nothing|reads)\b/.test(cell));

test("every cell that says nothing or reads is tried, and no other", () => {
  const said = tried.map(({ row, column, cell }) => `${row}, ${column}: ${cell.split(/\W/, 1)[0]}`);
  const known = Object.entries(attempts).flatMap(([row, cells]) =>
    Object.entries(cells).map(([column, { opens }]) => `${row}, ${column}: ${opens}`),
  );
  expect(said.length).toBeGreaterThan(30);
  expect(said.sort()).toEqual(known.sort());
});

describe.each(tried)("$row: $column", ({ row, column, cell }) => {
  test(cell, () => attempts[row]?.[column]?.attempt());
});

test("no stolen login reads the code of an SMS, or the number that it goes to", async () => {
  const number = "+5511987654321";
  await selo.operator.changeSetting("sms_url", "https://sms.example");
  const stage = { selo, tenantId: owner.id, token: owner.live, environment: "live" } as const;
  const { link } = await aSent(stage, [{ auth_method: "otp_sms", phone: number }]);
  expect((await act(stage, link, "POST", "/code")).status).toBe(202);
  const { rows } = await selo.database.admin.query<{ code_id: string; mail_id: string; sealed: Buffer }>(
    `select code.id as code_id, mail.id as mail_id, code.enciphered_code as sealed from signature.signing_codes as code
     join platform.mails as mail on mail.data ->> 'code_id' = code.id::text where code.participant_id = $1`,
    [link.participantId],
  );
  const [made] = rows;
  const key = await new DataKeys(masterKeys).ofEnvironmentOrNew(new Jobs(selo.database.admin), stage);
  const code = openCode(key, made?.sealed.toString("base64") ?? "", made?.code_id ?? "");
  expect(code).toMatch(/^\d{6}$/);

  const job = "select jobs.call($1, 'live', $2, $3) as answer";
  const seen = [
    await outcomeOf(worker, job, [owner.id, "read_mail", { id: made?.mail_id }]),
    await outcomeOf(worker, job, [owner.id, "read_signing_code", { code_id: made?.code_id }]),
    await outcomeOf(worker, "select payload::text from graphile_worker._private_jobs"),
  ];
  expect(seen[0]).toContain("+55*********21");
  expect(seen[1]).toContain("enciphered_phone");
  for (const text of seen) {
    expect(text).not.toContain(number.slice(4));
    expect(text).not.toMatch(new RegExp(`(?<!\\d)${code}(?!\\d)`));
  }
  await expectRefused(
    worker,
    "select * from signature.signing_codes",
    "select enciphered_phone from signature.participants",
  );
  await expectRefused(
    app,
    "select * from signature.signing_codes",
    "select enciphered_phone from signature.participants",
    "select jobs.call(null, 'live', 'read_signing_code')",
  );
});

test("no stolen login erases anything, opens a signed record, or asks what is known of a digest without a token", async () => {
  const none = "'00000000-0000-0000-0000-000000000000'";
  for (const client of [app, worker, analyst])
    await expectRefused(
      client,
      `select signature.erase_envelope(${none}, ${none})`,
      `select signature.erase_participants(null, array[${none}]::uuid[], now())`,
      `select signature.erase_contents(null, array[${none}]::uuid[], now())`,
      "select platform.erase_events(null, null)",
      `select platform.erase_mails(array[${none}]::uuid[], array[${none}]::uuid[], 'erased')`,
      "select openings from signature.signature_records",
      "select value from signature.fields",
      "select sha256 from signature.attachments",
      `select signature.known_of_digest(${none}, 'test', repeat('ab', 32))`,
      "select gateway.validate_digest(repeat('ab', 32))",
      "select gateway.validate_file(repeat('ab', 32))",
      "select gateway.list_signatures()",
    );
  expect(await outcomeOf(app, "select id from api.signatures")).toBe("PT401");
});
