import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { createHybridSigner, type HybridSigner } from "../../src/adapters/crypto/hybrid-signature.ts";
import { readConfig } from "../../src/main/config.ts";
import { masterKeysOf } from "../../src/main/master-key.ts";
import { prepareDatabase } from "../../src/main/prepare-database.ts";
import { type Databases, ownDatabases } from "../../src/postgres/databases.ts";
import { Operator } from "../../src/postgres/operator/operator.ts";
import { sealAudit } from "../../src/services/platform/audit/seal-audit.ts";
import { seedPurpose } from "../../src/services/platform/keys/platform-signers.ts";
import { canonicalJson, type JsonValue } from "../../src/verifier/canonical-json.ts";
import type { Measurement } from "./measurement.ts";

const PROOFS = Number(process.env.BENCH_PROOFS ?? 1_000_000);
/** Of each proof there is one; the others are of things that change, ten events each. */
const EVENTS = 3 * PROOFS;
const PER_CHAIN = 10;
const PER_CALL = 50;
const WRITERS = 6;
const SEALS = 3;
const MASTER_KEY = "22".repeat(32);

/**
 * `selo audit verify` of an organization with 1,000,000 live proofs (BENCH_PROOFS for another number) and three times as
 * many events, under three seals. Each proof is really signed, recorded and
 * paid for, so writing them takes half an hour and 15 GB; BENCH_AUDIT_FOLDER names a folder that keeps them for another run.
 */
export async function audit(): Promise<Measurement[]> {
  const kept = process.env.BENCH_AUDIT_FOLDER;
  const dataDir = kept ?? fs.mkdtempSync(path.join(os.tmpdir(), "selo-bench-"));
  const config = readConfig({
    ...process.env,
    SELO_DATA_DIR: dataDir,
    SELO_MASTER_KEY: MASTER_KEY,
    PUBLIC_URL: "http://selo.test",
    DATABASE_URL: "",
    DATABASE_ADMIN_URL: "",
    DATABASE_WORKER_URL: "",
  });
  const databases = await ownDatabases(config, () => {});
  try {
    await prepareDatabase(config, databases, () => {});
    await write(databases, config);
    const whole = await verify(databases);
    return [
      {
        figure: `audit verify: ${whole.proofs.toLocaleString("en")} proofs, ${whole.events.toLocaleString("en")} events`,
        value: `${whole.seconds.toFixed(0)} s`,
        peer: "aim: 600 s, 512 MiB a process",
        ratio: (whole.seconds / 600).toFixed(2),
      },
      {
        figure: "… memory at most: the command, a Postgres process",
        value: `${whole.commandMiB} MiB, ${whole.backendMiB} MiB`,
      },
    ];
  } finally {
    await databases.close();
    if (kept === undefined) fs.rmSync(dataDir, { recursive: true, force: true });
  }
}

async function write(databases: Databases, config: ReturnType<typeof readConfig>): Promise<void> {
  const operator = await Operator.connect(databases.adminUrl);
  const admin = new pg.Pool({ connectionString: databases.adminUrl, max: WRITERS });
  try {
    const { rows } = await admin.query<{ proofs: number; seals: number; tenant: string | null }>(
      `select (select count(*)::integer from signature.proofs) as proofs, (select count(*)::integer from platform.audit_seals) as seals,
         (select id from platform.organizations limit 1) as tenant`,
    );
    let { proofs = 0, seals = 0, tenant = null } = rows[0] ?? {};
    if (seals >= SEALS) return;
    // What a run that was broken off left is gone on with.
    if (tenant === null) {
      tenant = (await operator.createOrganization({ name: "Test Organization" })).id;
      await operator.grantCredits(tenant, "signature", 2 * PROOFS);
    }
    const { token } = await operator.createToken(tenant, "live", "bench", await operator.allScopes());
    const credential = createHash("sha256").update(token).digest();
    const keys = await operator.signingKeys();
    const masterKeys = masterKeysOf(config);
    const seed = (algorithm: string) => {
      const key = keys.find((one) => one.environment === "live" && one.algorithm === algorithm);
      if (key === undefined) throw new Error(`there is no ${algorithm} key`);
      return masterKeys.open(key.sealedSeed, seedPurpose(key.keyId));
    };
    const signer = createHybridSigner({ ed25519: seed("Ed25519"), mlDsa87: seed("ML-DSA-87") });
    for (; seals < SEALS; seals++) {
      const wanted = (PROOFS * (seals + 1)) / SEALS;
      await Promise.all(
        Array.from({ length: WRITERS }, async () => {
          while (proofs < wanted) {
            proofs += PER_CALL;
            await registerSome(admin, credential, signer);
          }
        }),
      );
      await writeEvents(admin, tenant, Math.round((EVENTS - PROOFS) / SEALS / PER_CHAIN));
      await sealAudit(operator, masterKeys);
      console.error(`seal ${seals + 1} of ${SEALS}`);
    }
    await admin.query("vacuum (analyze)");
  } finally {
    await admin.end();
    await operator.close();
  }
}

interface Draft {
  readonly status: number;
  readonly body: {
    readonly id: string;
    readonly sha256: string;
    readonly language: string;
    readonly evidence: { readonly [member: string]: JsonValue };
  };
}

/** Fifty proofs as the gateway registers them, signed once. */
async function registerSome(admin: pg.Pool, credential: Buffer, signer: HybridSigner): Promise<void> {
  const proofs = Array.from({ length: PER_CALL }, () => {
    const sha256 = randomBytes(32).toString("hex");
    return {
      sha256,
      label: `Contract ${sha256.slice(0, 6)}`,
      file_name: `${sha256.slice(0, 8)}.pdf`,
      file_size: 48_213,
    };
  });
  const call = async (command: string, items: readonly object[]) => {
    const { rows } = await admin.query<{ body: string }>("select body from gateway.call($1, $2, $3)", [
      credential,
      command,
      JSON.stringify({ proofs: items }),
    ]);
    return JSON.parse(rows[0]?.body ?? "[]") as Draft[];
  };
  const drafts = await call("prepare_proofs", proofs);
  const items = drafts.map(async ({ body }) => {
    const evidence = canonicalJson(body.evidence);
    const seal = await signer.sign(Buffer.from(evidence, "utf8"));
    return {
      sha256: body.evidence["sha256"],
      proof_id: body.id,
      language: body.language,
      evidence,
      platform_signature: seal.ed25519.toString("base64"),
      platform_signature_pq: seal.mlDsa87.toString("base64"),
    };
  });
  const recorded = await call("record_proofs", await Promise.all(items));
  if (recorded.some(({ status }) => status !== 201)) throw new Error("a proof was not recorded");
}

/** So many chains of ten events, each event its own statement within a transaction. */
async function writeEvents(admin: pg.Pool, tenantId: string, chains: number): Promise<void> {
  for (let left = chains; left > 0; left -= 1_000) {
    const client = await admin.connect();
    await client.query("begin; set local role selo_owner");
    await client.query("select platform.enter_context($1, 'live', null, null, null)", [tenantId]);
    await client.query(
      `select count(platform.record_audit_event('thing.changed', 'thing', thing.id, jsonb_build_object('event', event), '{"name": "Ana"}'))
       from (select gen_random_uuid() as id from generate_series(1, $1::integer) offset 0) as thing, generate_series(1, $2::integer) as event`,
      [Math.min(left, 1_000), PER_CHAIN],
    );
    await client.query("commit");
    client.release();
  }
}

interface Verification {
  readonly seconds: number;
  readonly events: number;
  readonly proofs: number;
  readonly commandMiB: number;
  readonly backendMiB: number;
}

/** The command as a separate process; its memory and that of Postgres' processes are looked at ten times a second. */
async function verify(databases: Databases): Promise<Verification> {
  const began = performance.now();
  const child = spawn("node", ["src/main/cli.ts", "audit", "verify", "--json"], {
    env: {
      ...process.env,
      SELO_MASTER_KEY: MASTER_KEY,
      DATABASE_URL: databases.appUrl,
      DATABASE_ADMIN_URL: databases.adminUrl,
      DATABASE_WORKER_URL: databases.workerUrl,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const most = { command: 0, backend: 0 };
  const admin = new pg.Client({ connectionString: databases.adminUrl });
  await admin.connect();
  const timer = setInterval(async () => {
    most.command = Math.max(most.command, memory(child.pid, "VmRSS"));
    const { rows } = await admin.query("select pid from pg_stat_activity where application_name = 'selo audit verify'");
    // What a process has for itself: shared buffers are the server's.
    for (const { pid } of rows) most.backend = Math.max(most.backend, memory(pid, "RssAnon"));
  }, 100);
  let output = "";
  for await (const chunk of child.stdout) output += chunk;
  clearInterval(timer);
  await admin.end();
  const report = JSON.parse(output) as { events: number; proofs: number; faults: unknown[] };
  if (report.proofs !== PROOFS) throw new Error(`${report.proofs} proofs were verified of ${PROOFS}`);
  if (report.faults.length > 0) throw new Error(`faults: ${JSON.stringify(report.faults.slice(0, 3))}`);
  return {
    seconds: (performance.now() - began) / 1_000,
    events: report.events,
    proofs: report.proofs,
    commandMiB: Math.round(most.command / 1_024),
    backendMiB: Math.round(most.backend / 1_024),
  };
}

/** In KiB. */
function memory(pid: number | undefined, name: string): number {
  try {
    return Number(
      new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0,
    );
  } catch {
    return 0; // it has ended
  }
}
