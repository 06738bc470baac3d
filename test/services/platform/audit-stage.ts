// A database with something of everything that the audit covers, and what a verification finds after a superuser's edits.
import { randomBytes } from "node:crypto";
import type pg from "pg";
import type { AuditFault } from "../../../src/postgres/audit-reader.ts";
import { rotatePlatformKeys } from "../../../src/services/platform/keys/rotate-platform-keys.ts";
import { createCopyOf, type TestDatabase } from "../../support/database.ts";
import { Editor } from "../../support/editor.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { call } from "../../support/rest-client.ts";
import { productFacts } from "../../support/service-facts.ts";
import { type Edit, whileTampered } from "../../support/tamper.ts";
import { verifyAll } from "../../support/verify-all.ts";

/** A row of audit_coverage. */
export interface Covered {
  readonly table_name: string;
  readonly column_name: string;
  readonly check_name: string | null;
  readonly how: string;
}

export interface RegisteredProof {
  readonly id: string;
  readonly verification_code: string;
}

type Audited = Omit<TestOrganization, "token">;

/** What is known of the stage's database beside it. */
interface Facts {
  readonly organization: Audited;
  readonly proofs: readonly RegisteredProof[];
}

const ENVIRONMENT: Readonly<Record<string, string>> = Object.assign(
  {},
  ...productFacts.map(({ environment }) => environment),
);

export class AuditStage {
  readonly selo: TestGateway;
  readonly organization: Audited;
  /** Two live proofs as they were answered. */
  readonly proofs: readonly RegisteredProof[];
  readonly coverage: readonly Covered[];
  /** Checks that found something. */
  readonly seen = new Set<string>();
  #editor: Editor | null = null;

  private constructor(given: Pick<AuditStage, "selo" | "organization" | "proofs" | "coverage">) {
    this.selo = given.selo;
    this.organization = given.organization;
    this.proofs = given.proofs;
    this.coverage = given.coverage;
  }

  /** With two seals, and without the constraints that a superuser could drop. */
  static async open(): Promise<AuditStage> {
    const database = await createCopyOf("audit_stage", makeStage);
    const selo = await startTestGateway(ENVIRONMENT, { database });
    const { rows } = await database.admin.query<{ facts: Facts }>("select facts from public.stage");
    const { rows: coverage } = await database.admin.query<Covered>("select * from platform.audit_coverage_of_all()");
    const [made] = rows;
    if (made === undefined) throw new Error("the stage says nothing of itself");
    return new AuditStage({ selo, ...made.facts, coverage });
  }

  async close(): Promise<void> {
    this.#editor?.close();
    await this.selo.stop();
    await this.selo.database.drop();
  }

  async rows<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.selo.database.admin.query<Row>(text, values)).rows;
  }

  register(token: string): Promise<RegisteredProof> {
    return register(this.selo, token);
  }

  async faults(): Promise<readonly AuditFault[]> {
    const { faults } = await verifyAll(this.selo.operator);
    for (const { check_name } of faults) this.seen.add(check_name);
    return faults;
  }

  /**
   * Whether a check finds a superuser's edit: the part of the verification with its name, in the transaction of the edit. Where that finds
   * nothing, the whole verification runs, and says what was found in its place.
   */
  async foundBy(checkName: string, table: string, edit: Edit): Promise<{ readonly isFound: boolean; said: string[] }> {
    this.#editor ??= await Editor.open(this.selo.database);
    const ofCheck = (faults: readonly AuditFault[]) => faults.some(({ check_name }) => check_name === checkName);
    const isFound =
      checkName === "records"
        ? await this.#editor.isFoundInRecords(table, edit)
        : ofCheck(await this.#editor.foundBy(checkName, edit));
    if (isFound) return { isFound, said: [] };
    const faults = await this.found([table], edit);
    return { isFound: ofCheck(faults), said: faults.map(({ check_name, fault }) => `${check_name}: ${fault}`) };
  }

  /** What is found after a superuser's statements; the tables that they change are then as they were. */
  found(tables: readonly string[], ...edits: Edit[]): Promise<readonly AuditFault[]> {
    return whileTampered(this.selo.database, tables, edits, () => this.faults());
  }
}

/** What faults say, sorted. */
export const said = (found: readonly AuditFault[]): string[] => found.map(({ fault }) => fault).sort();

async function register(selo: TestGateway, token: string): Promise<RegisteredProof> {
  const body = { sha256: randomBytes(32).toString("hex"), label: "Contract", file_name: "a.pdf", file_size: 7 };
  return (await call(selo, "POST", "/proofs", { token, body })).body;
}

async function makeStage(database: TestDatabase): Promise<void> {
  const selo = await startTestGateway(ENVIRONMENT, { database });
  const { admin } = database;
  const organization = await selo.newOrganization({ email: "ana@example.com" });
  const proofs = [await register(selo, organization.live), await register(selo, organization.live)];
  await register(selo, organization.test);
  await rotatePlatformKeys(selo.operator, masterKeys, ["live"], "selo.test");
  await register(selo, organization.live);
  for (const { audit } of productFacts) await audit?.write(selo, organization);
  await selo.seal();
  await selo.seal();
  await selo.stop();
  await dropConstraints(admin);
  await admin.query("create table public.stage (facts json)");
  await admin.query("insert into public.stage values ($1)", [JSON.stringify({ organization, proofs })]);
}

/** A superuser can drop these as well: an edit that they would refuse must be found without them. */
async function dropConstraints(admin: pg.Pool): Promise<void> {
  const { rows: checks } = await admin.query<{ table: string; name: string }>(
    `select conrelid::regclass::text as table, conname as name from pg_constraint
     where contype = 'c' and connamespace in (select oid from pg_namespace where nspowner = 'selo_owner'::regrole and nspname not in ('extensions', 'secrets'))
       and not exists (select from pg_inherits where inhrelid = conrelid)`,
  );
  for (const { table, name } of checks) await admin.query(`alter table ${table} drop constraint ${name}`);
  for (const { audit } of productFacts) for (const statement of audit?.unbound ?? []) await admin.query(statement);
  // Keys too, but their indexes stay: what is found by them must be.
  const { rows: required } = await admin.query<{ table: string; name: string }>(
    `select attrelid::regclass::text as table, attname as name from pg_attribute
     where attnotnull and attnum > 0 and attrelid in (select oid from pg_class where relkind = 'r' and not relispartition
       and relnamespace in (select oid from pg_namespace where nspowner = 'selo_owner'::regrole and nspname not in ('gateway', 'secrets')))
       and not exists (select from pg_index where indrelid = attrelid and indisprimary and attnum = any (indkey::smallint[]))`,
  );
  for (const { table, name } of required) await admin.query(`alter table ${table} alter column ${name} drop not null`);
}
