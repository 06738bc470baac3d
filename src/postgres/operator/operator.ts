import { randomUUID } from "node:crypto";
import os from "node:os";
import pg from "pg";
import { AuditReader } from "../audit-reader.ts";
import type { StoredSealCertificate, StoredSigningKey } from "../database.ts";
import { decodeDatabaseError } from "../errors.ts";
import type { Queries } from "../jobs.ts";
import { MigrationError } from "../migrate/migration-error.ts";
import { NOT_MIGRATED } from "../migrate/require-migrated.ts";
import { clientConfig } from "../pool.ts";
import { type Analyst, createAnalyst, listAnalysts, type NewAnalyst, revokeAnalyst } from "./analyst-logins.ts";
import { AuditTrail } from "./audit-trail.ts";
import { JobQueue } from "./job-queue.ts";
import { PlatformKeys } from "./platform-keys.ts";
import { SealedValues } from "./sealed-values.ts";
import { Statements } from "./statements.ts";

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
  /** The whole secret; it is shown only this once. */
  readonly token: string;
  readonly prefix: string;
  readonly environment: string;
  readonly scopes: readonly string[];
  readonly expires_at: Date | null;
}

/** A token in a list, without its secret. */
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

/** The operations of the deployment's operator: an administrator's connection acting as the owner. Throws AppError as Database does. */
export class Operator implements Queries {
  readonly #client: pg.Client;
  readonly #adminUrl: string;
  readonly #statements: Statements;
  readonly keys: PlatformKeys;
  readonly sealedValues: SealedValues;
  readonly audit: AuditTrail;
  readonly jobs: JobQueue;

  private constructor(client: pg.Client, adminUrl: string) {
    this.#client = client;
    this.#adminUrl = adminUrl;
    this.#statements = new Statements(client);
    this.keys = new PlatformKeys(this.#statements);
    this.sealedValues = new SealedValues(this.#statements);
    this.audit = new AuditTrail(this.#statements);
    this.jobs = new JobQueue(this.#statements);
  }

  /** Connects; call `close` when done. */
  static async connect(adminUrl: string): Promise<Operator> {
    const client = new pg.Client(clientConfig({ url: adminUrl, role: null, applicationName: "selo operator" }));
    client.on("error", () => {});
    try {
      await client.connect();
      // The role is missing in a database that is not migrated yet; then the administrator itself acts.
      const { rowCount } = await client.query("select from pg_roles where rolname = 'selo_owner'");
      if (rowCount === 1) await client.query("set role selo_owner");
      // The audit trail records these for every change on this connection.
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

  /** Opens a reader for a verification of the audit trail; close it when done. */
  openAudit(): Promise<AuditReader> {
    return AuditReader.open({ url: this.#adminUrl, role: null }, "selo_owner");
  }

  /** Whether the database was ever migrated. */
  async isMigrated(): Promise<boolean> {
    const { migrated } = await this.#statements.one<{ migrated: boolean }>(
      "select to_regprocedure('platform.setting(text)') is not null as migrated",
    );
    return migrated;
  }

  /** @throws MigrationError that says which command to run */
  async requireMigrated(): Promise<void> {
    if (!(await this.isMigrated())) throw new MigrationError(NOT_MIGRATED);
  }

  createOrganization(input: NewOrganization): Promise<Organization> {
    return this.#statements.one<Organization>(
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
    return this.#statements.many<Organization>(`select ${ORGANIZATION_COLUMNS} from platform.list_organizations()`);
  }

  /** @param reference the organization's id or number */
  findOrganization(reference: string): Promise<Organization> {
    return this.#statements.one<Organization>(`select ${ORGANIZATION_COLUMNS} from platform.find_organization($1)`, [
      reference,
    ]);
  }

  /** All scopes that a token may have. */
  allScopes(): Promise<string[]> {
    return this.#statements
      .many<{ name: string }>("select name from platform.scopes where 'token' = any (kinds) order by name")
      .then((rows) => rows.map(({ name }) => name));
  }

  createToken(
    tenantId: string,
    environment: string,
    name: string,
    scopes: readonly string[],
    expiresAt: Date | null = null,
  ): Promise<NewToken> {
    return this.#statements.one<NewToken>(
      "select id, token, prefix, environment, scopes, expires_at from platform.create_token($1, $2, $3, $4, $5)",
      [tenantId, environment, name, scopes, expiresAt],
    );
  }

  /** The tokens of an organization, the oldest first. */
  listTokens(tenantId: string): Promise<ListedToken[]> {
    return this.#statements.many<ListedToken>(
      "select id, prefix, name, environment, scopes, created_at, expires_at, last_used_at, revoked_at from platform.list_tokens($1)",
      [tenantId],
    );
  }

  /** @returns when the token was first revoked */
  async revokeToken(tokenId: string): Promise<Date> {
    const { revoked_at } = await this.#statements.one<{ revoked_at: Date }>(
      "select platform.revoke_token(platform.find_token_owner($1), $1) as revoked_at",
      [tokenId],
    );
    return revoked_at;
  }

  /** @returns the new balance */
  async grantCredits(tenantId: string, kind: string, amount: number): Promise<number> {
    const { balance } = await this.#statements.one<{ balance: number }>(
      "select platform.grant_credits($1, $2, $3) as balance",
      [tenantId, kind, amount],
    );
    return balance;
  }

  /** The balances of an organization, one for each kind. */
  creditBalances(tenantId: string): Promise<CreditBalance[]> {
    return this.#statements.many<CreditBalance>("select kind, balance from platform.list_credit_balances($1)", [
      tenantId,
    ]);
  }

  /** See {@link createAnalyst}. This and revoking act as the administrator itself, because only the administrator may make roles. */
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

  signingKeys(): Promise<StoredSigningKey[]> {
    return this.#statements.many<StoredSigningKey>(
      `select key_id as "keyId", environment, algorithm, public_key as "publicKey", sealed_seed as "sealedSeed", status from gateway.signing_keys()`,
    );
  }

  sealCertificates(): Promise<StoredSealCertificate[]> {
    return this.#statements.many<StoredSealCertificate>(
      `select certificate_id as "certificateId", environment, certificate, sealed_key as "sealedKey", not_before as "notBefore", not_after as "notAfter" from gateway.seal_certificates()`,
    );
  }

  /** For the store of a service. */
  query<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.#statements.many<Row>(text, values);
  }

  /** The same as `query`: an operator's statements have no time limit. */
  slowQuery<Row>(text: string): Promise<Row[]> {
    return this.query<Row>(text);
  }

  async setting(name: string): Promise<string | null> {
    const [row] = await this.#statements.many<{ value: string | null }>("select platform.setting($1) as value", [name]);
    return row?.value ?? null;
  }

  async changeSetting(name: string, value: string): Promise<void> {
    await this.#statements.many("select platform.change_setting($1, $2)", [name, value]);
  }
}

/** The system's name of the user at the terminal; a container's user may have no name. */
function operatorName(): string {
  try {
    return os.userInfo().username;
  } catch {
    return "";
  }
}

const ORGANIZATION_COLUMNS = "id, number, name, plan, jurisdiction, language, time_zone, contact_email, created_at";
