import { randomUUID } from "node:crypto";
import os from "node:os";
import pg from "pg";
import { type Analyst, createAnalyst, listAnalysts, type NewAnalyst, revokeAnalyst } from "./analyst-logins.ts";
import type { StoredSigningKey } from "./database.ts";
import { decodeDatabaseError } from "./errors.ts";
import type { AuditSealPayload } from "./jobs.ts";
import { clientConfig } from "./pool.ts";
import type { QueueStates } from "./queue-states.ts";

export interface Organization {
  readonly id: string;
  readonly number: number;
  readonly name: string;
  readonly plan: string;
  readonly jurisdiction: string;
  readonly language: string;
  readonly time_zone: string;
  readonly contact_email: string | null;
  readonly created_at: Date;
}

export interface NewOrganization {
  readonly name: string;
  readonly plan?: string;
  readonly email?: string | null;
  readonly jurisdiction?: string;
  readonly language?: string;
  readonly timeZone?: string;
}

export interface NewToken {
  readonly id: string;
  /** The whole secret, shown this once. */
  readonly token: string;
  readonly prefix: string;
  readonly environment: string;
  readonly scopes: readonly string[];
  readonly expires_at: Date | null;
}

/** A token as it is listed: never its secret. */
export interface ListedToken {
  readonly id: string;
  readonly prefix: string;
  readonly name: string;
  readonly environment: string;
  readonly scopes: readonly string[];
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly last_used_at: Date | null;
  readonly revoked_at: Date | null;
}

export interface CreditBalance {
  readonly kind: string;
  readonly balance: number;
}

export interface NewKeyPair {
  readonly environment: "live" | "test";
  readonly ed25519: { readonly keyId: string; readonly publicKey: Buffer; readonly sealedSeed: Buffer };
  readonly mlDsa87: { readonly keyId: string; readonly publicKey: Buffer; readonly sealedSeed: Buffer };
}

/** Secrets of one column under one master key. */
export interface SealedCount {
  /** With its schema. */
  readonly table: string;
  readonly column: string;
  /** 8 hexadecimal digits. */
  readonly masterKeyId: string;
  readonly count: number;
}

export interface PlatformKey {
  readonly key_id: string;
  readonly algorithm: string;
  readonly environment: string;
  readonly status: string;
  readonly created_at: Date;
  readonly retired_at: Date | null;
}

export interface ChainReport {
  readonly events: number;
  readonly unsealed_events: number;
  readonly faults: readonly {
    readonly subject_type: string;
    readonly subject_id: string;
    readonly seq: number;
    readonly event_id: string | null;
    readonly fault: string;
  }[];
}

export interface AuditSeal {
  readonly number: number;
  readonly sealed_at: Date;
  readonly evidence: string;
  readonly platform_key_id: string;
  readonly platform_signature: Buffer;
  readonly platform_pq_key_id: string;
  readonly platform_signature_pq: Buffer;
}

/** A job whose attempts are used up. */
export interface FailedJob {
  readonly id: number;
  readonly task: string;
  readonly attempts: number;
  /** The words of the last error, on one line. */
  readonly error: string | null;
  readonly created_at: Date;
  readonly failed_at: Date;
}

/** What whoever runs the deployment may do: an administrator's connection acting as the owner. Throws AppError as Database does. */
export class Operator {
  readonly #client: pg.Client;
  readonly #adminUrl: string;

  private constructor(client: pg.Client, adminUrl: string) {
    this.#client = client;
    this.#adminUrl = adminUrl;
  }

  /** Connects; `close` when done. */
  static async connect(adminUrl: string): Promise<Operator> {
    const client = new pg.Client(clientConfig({ url: adminUrl, role: null, applicationName: "selo operator" }));
    client.on("error", () => {});
    try {
      await client.connect();
      // Absent in a database that is not migrated yet; then the administrator itself asks.
      const { rowCount } = await client.query("select from pg_roles where rolname = 'selo_owner'");
      if (rowCount === 1) await client.query("set role selo_owner");
      // What the audit trail says of whatever is done on this connection.
      await client.query(
        "select set_config('app.channel', 'cli', false), set_config('app.request_id', $1, false), set_config('app.operator', $2, false)",
        [randomUUID(), operatorName()],
      );
    } catch (error) {
      await client.end();
      throw decodeDatabaseError(error);
    }
    return new Operator(client, adminUrl);
  }

  close(): Promise<void> {
    return this.#client.end();
  }

  /** Whether the database has been migrated at all. */
  async isMigrated(): Promise<boolean> {
    const { migrated } = await this.#one<{ migrated: boolean }>(
      "select to_regprocedure('platform.setting(text)') is not null as migrated",
    );
    return migrated;
  }

  createOrganization(input: NewOrganization): Promise<Organization> {
    return this.#one<Organization>(
      `select ${ORGANIZATION_COLUMNS} from platform.create_organization($1, $2, $3, $4, $5, $6)`,
      [
        input.name,
        input.plan ?? "free",
        input.email ?? null,
        input.jurisdiction ?? "intl",
        input.language ?? "en",
        input.timeZone ?? "UTC",
      ],
    );
  }

  listOrganizations(): Promise<Organization[]> {
    return this.#many<Organization>(`select ${ORGANIZATION_COLUMNS} from platform.list_organizations()`);
  }

  /** @param reference id or number */
  findOrganization(reference: string): Promise<Organization> {
    return this.#one<Organization>(`select ${ORGANIZATION_COLUMNS} from platform.find_organization($1)`, [reference]);
  }

  allScopes(): Promise<string[]> {
    return this.#many<{ name: string }>("select name from platform.scopes order by name").then((rows) =>
      rows.map(({ name }) => name),
    );
  }

  createToken(
    tenantId: string,
    environment: string,
    name: string,
    scopes: readonly string[],
    expiresAt: Date | null = null,
  ): Promise<NewToken> {
    return this.#one<NewToken>(
      "select id, token, prefix, environment, scopes, expires_at from platform.create_token($1, $2, $3, $4, $5)",
      [tenantId, environment, name, scopes, expiresAt],
    );
  }

  /** The tokens of an organization, the oldest first. */
  listTokens(tenantId: string): Promise<ListedToken[]> {
    return this.#many<ListedToken>(
      "select id, prefix, name, environment, scopes, created_at, expires_at, last_used_at, revoked_at from platform.list_tokens($1)",
      [tenantId],
    );
  }

  /** @returns when the token was first revoked */
  async revokeToken(tokenId: string): Promise<Date> {
    const { revoked_at } = await this.#one<{ revoked_at: Date }>(
      "select platform.revoke_token(platform.find_token_owner($1), $1) as revoked_at",
      [tokenId],
    );
    return revoked_at;
  }

  /** @returns the new balance */
  async grantCredits(tenantId: string, kind: string, amount: number): Promise<number> {
    const { balance } = await this.#one<{ balance: number }>("select platform.grant_credits($1, $2, $3) as balance", [
      tenantId,
      kind,
      amount,
    ]);
    return balance;
  }

  /** What an organization has left of each kind. */
  creditBalances(tenantId: string): Promise<CreditBalance[]> {
    return this.#many<CreditBalance>("select kind, balance from platform.list_credit_balances($1)", [tenantId]);
  }

  /** See {@link createAnalyst}; this and revoking act as the administrator itself, who alone may make roles. */
  createAnalyst(tenantId: string, environment: string, name: string | null = null): Promise<NewAnalyst> {
    return createAnalyst(this.#client, this.#adminUrl, tenantId, environment, name);
  }

  listAnalysts(): Promise<Analyst[]> {
    return listAnalysts(this.#client).catch((error: unknown) => {
      throw decodeDatabaseError(error);
    });
  }

  revokeAnalyst(login: string): Promise<void> {
    return revokeAnalyst(this.#client, login);
  }

  /** @returns false when the environment already has an active pair */
  async addKeyPair({ environment, ed25519, mlDsa87 }: NewKeyPair): Promise<boolean> {
    const { added } = await this.#one<{ added: boolean }>(
      "select platform.add_platform_key_pair($1, $2, $3, $4, $5, $6, $7) as added",
      [
        environment,
        ed25519.keyId,
        ed25519.publicKey,
        ed25519.sealedSeed,
        mlDsa87.keyId,
        mlDsa87.publicKey,
        mlDsa87.sealedSeed,
      ],
    );
    return added;
  }

  /** Makes these pairs the active ones of their environments, and retires those before them. */
  async rotateKeys(pairs: readonly NewKeyPair[]): Promise<void> {
    const keys = pairs.flatMap(({ environment, ed25519, mlDsa87 }) =>
      [
        { algorithm: "Ed25519", ...ed25519 },
        { algorithm: "ML-DSA-87", ...mlDsa87 },
      ].map(({ algorithm, keyId, publicKey, sealedSeed }) => ({
        environment,
        algorithm,
        key_id: keyId,
        public_key: `\\x${publicKey.toString("hex")}`,
        sealed_seed: `\\x${sealedSeed.toString("hex")}`,
      })),
    );
    await this.#many("select platform.rotate_platform_keys($1)", [JSON.stringify(keys)]);
  }

  /** How many secrets each sealed column of the database holds under which master key. */
  async countSealedValues(): Promise<SealedCount[]> {
    return this.#many<SealedCount>(
      `select table_name as "table", column_name as "column", master_key_id as "masterKeyId", count
       from platform.count_sealed_values()`,
    );
  }

  /** A page of the secrets of a column that another master key sealed, each with its row's primary key. */
  listSealedValues(
    { table, column }: Pick<SealedCount, "table" | "column">,
    masterKeyId: string,
    after: Buffer,
    limit: number,
  ): Promise<{ readonly key: Readonly<Record<string, unknown>>; readonly sealed: Buffer }[]> {
    return this.#many("select key, sealed from platform.list_sealed_values($1, $2, $3, $4, $5)", [
      table,
      column,
      masterKeyId,
      after,
      limit,
    ]);
  }

  /** @returns how many were replaced; those that changed meanwhile are not */
  async reencryptSealedValues(
    { table, column }: Pick<SealedCount, "table" | "column">,
    again: readonly { readonly old: Buffer; readonly new: Buffer }[],
  ): Promise<number> {
    const { replaced } = await this.#one<{ replaced: number }>(
      "select platform.reencrypt_sealed_values($1, $2, $3, $4) as replaced",
      [table, column, again.map((secret) => secret.old), again.map((secret) => secret.new)],
    );
    return replaced;
  }

  listPlatformKeys(): Promise<PlatformKey[]> {
    return this.#many<PlatformKey>(
      "select key_id, algorithm, environment, status, created_at, retired_at from platform.platform_keys order by created_at, key_id",
    );
  }

  /** The same with the keys themselves. */
  publicKeys(): Promise<{ readonly keyId: string; readonly publicKey: Buffer }[]> {
    return this.#many(`select key_id as "keyId", public_key as "publicKey" from platform.platform_keys`);
  }

  /** Ids of all that have or should have an audit trail, the platform's own nil UUID among them. */
  async auditedTenants(): Promise<string[]> {
    const rows = await this.#many<{ id: string }>("select platform.list_audited_tenants() as id order by 1");
    return rows.map(({ id }) => id);
  }

  /** What is wrong with the chains of an organization in one environment, how many events they have, and how many since the last seal. */
  async auditFaults(tenantId: string, environment: "live" | "test"): Promise<ChainReport> {
    return this.#one<ChainReport>("select events, unsealed_events, faults from platform.audit_report($1, $2)", [
      tenantId,
      environment,
    ]);
  }

  /** All seals of the audit trail, the oldest first. */
  auditSeals(): Promise<AuditSeal[]> {
    return this.#many<AuditSeal>(
      `select number, sealed_at, evidence, platform_key_id, platform_signature, platform_pq_key_id, platform_signature_pq
       from platform.audit_seals order by number`,
    );
  }

  auditSealFaults(): Promise<{ readonly number: number; readonly fault: string }[]> {
    return this.#many("select number, fault from platform.audit_seal_faults() order by number");
  }

  signingKeys(): Promise<StoredSigningKey[]> {
    return this.#many<StoredSigningKey>(
      `select key_id as "keyId", environment, algorithm, public_key as "publicKey", sealed_seed as "sealedSeed", status from gateway.signing_keys()`,
    );
  }

  async prepareAuditSeal(): Promise<AuditSealPayload> {
    return (await this.#one<{ payload: AuditSealPayload }>("select jobs.prepare_audit_seal() as payload")).payload;
  }

  /** @returns the seal's number; null when another came between the halves */
  async recordAuditSeal(evidence: string, ed25519: Buffer, mlDsa87: Buffer): Promise<number | null> {
    const { number } = await this.#one<{ number: number | null }>(
      "select jobs.record_audit_seal($1, $2, $3) as number",
      [evidence, ed25519, mlDsa87],
    );
    return number;
  }

  /** @returns how many events had personal data */
  async erasePersonalData(tenantId: string, before: Date | null, eventId: string | null): Promise<number> {
    const { erased } = await this.#one<{ erased: number }>(
      "select platform.erase_personal_data($1, $2, $3) as erased",
      [tenantId, before, eventId],
    );
    return erased;
  }

  /** From now on every write has its event; once, at the first preparation of a database. */
  async beginAudit(): Promise<void> {
    await this.#many("select platform.begin_audit()");
  }

  async queueStates(): Promise<QueueStates> {
    return (await this.#one<{ states: QueueStates }>("select platform.queue_states() as states")).states;
  }

  /** Jobs whose attempts are used up. */
  failedJobs(): Promise<FailedJob[]> {
    return this.#many<FailedJob>("select id, task, attempts, error, created_at, failed_at from platform.failed_jobs()");
  }

  /** @param ids null for all that failed; @returns those that will run again */
  retryJobs(ids: readonly number[] | null): Promise<Pick<FailedJob, "id" | "task">[]> {
    return this.#many("select id, task from platform.retry_jobs($1)", [ids]);
  }

  /** Says in the audit trail that this database was restored from a backup. */
  async recordRestore(takenAt: string, seloVersion: string): Promise<void> {
    await this.#many("select platform.record_restore($1, $2)", [takenAt, seloVersion]);
  }

  async setting(name: string): Promise<string | null> {
    const [row] = await this.#many<{ value: string | null }>("select platform.setting($1) as value", [name]);
    return row?.value ?? null;
  }

  async changeSetting(name: string, value: string): Promise<void> {
    await this.#many("select platform.change_setting($1, $2)", [name, value]);
  }

  async #one<Row>(text: string, values: unknown[] = []): Promise<Row> {
    const [row] = await this.#many<Row>(text, values);
    if (row === undefined) throw new Error("the statement answered no row");
    return row;
  }

  async #many<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    try {
      return (await this.#client.query(text, values)).rows as Row[];
    } catch (error) {
      throw decodeDatabaseError(error);
    }
  }
}

/** Who sits at the terminal, as the system calls them; a container's user may have no name. */
function operatorName(): string {
  try {
    return os.userInfo().username;
  } catch {
    return "";
  }
}

const ORGANIZATION_COLUMNS = "id, number, name, plan, jurisdiction, language, time_zone, contact_email, created_at";
