// Invoices whose gateway, workers and Postgres are programs that a test kills, beside a simulator of the tax authority that delays and drops.
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { expect, inject } from "vitest";
import { type Simulator, startSimulator } from "../../../src/adapters/tax-authority/simulator/simulator.ts";
import { ISSUER, invoicingCaller } from "../../services/invoicing/invoicing-stage.ts";
import type { TestOrganization } from "../../support/gateway.ts";
import type { SeloProcess } from "../../support/selo-process.ts";
import { type Deployment, deploy } from "../faults/deployment.ts";

const ISSUERS = [ISSUER.cnpj, "11444777000161"] as const;
/** Instead of 120 s: a test does not wait so long for what a killed worker held. Where none is killed any more, a slow machine has the time that it needs. */
const LEASES = { killed: "1500 milliseconds", living: "30 seconds" };
const RETRY = "200 milliseconds";
/** Workers look every five seconds for what has come due. Here they are woken. */
const WAKE_MS = 100;

/** What never leaves the row of an issuer, in each form in which it could stand somewhere. */
export interface IssuerSecrets {
  readonly texts: readonly string[];
  readonly bytes: readonly Buffer[];
}

/** An invoice as `GET /invoices` lists it. */
interface Listed {
  readonly id: string;
  readonly status: string;
}

/** A row of the final account. */
interface Issued {
  readonly id: string;
  readonly issuer_id: string;
  readonly status: string;
  readonly number: string;
  readonly access_key: string;
  readonly dps_id: string;
  /** Events of the trail and webhooks. */
  readonly authorized: number;
  readonly canceled: number;
  readonly told_authorized: number;
  readonly told_canceled: number;
}

export class InvoiceFaults {
  readonly deployment: Deployment;
  readonly simulator: Simulator;
  readonly secrets: IssuerSecrets;
  /** The gateway and every worker that was started. */
  readonly programs: SeloProcess[];
  /** Ids of invoices that are asked to be canceled. */
  readonly toCancel = new Set<string>();
  /** Ids of invoices that are asked for, in order. */
  readonly emitted: string[] = [];
  readonly #folder: string;
  readonly #caller: ReturnType<typeof invoicingCaller>;
  readonly #members: readonly object[];
  readonly #waking: NodeJS.Timeout;

  private constructor(
    deployment: Deployment,
    simulator: Simulator,
    secrets: IssuerSecrets,
    programs: SeloProcess[],
    folder: string,
    caller: ReturnType<typeof invoicingCaller>,
    members: readonly object[],
  ) {
    this.deployment = deployment;
    this.simulator = simulator;
    this.secrets = secrets;
    this.programs = programs;
    this.#folder = folder;
    this.#caller = caller;
    this.#members = members;
    this.#waking = setInterval(() => {
      deployment.admin.query("notify invoice_transmissions").catch(() => {}); // Postgres may be away
    }, WAKE_MS);
  }

  static async open(): Promise<InvoiceFaults> {
    const folder = fs.mkdtempSync(path.join(inject("folder"), "selo-nfse-"));
    const [deployment, simulator] = await Promise.all([
      deploy(),
      startSimulator({ folder: path.join(folder, "simulator"), environment: "live" }),
    ]);
    await deployment.asOperator(async (operator) => {
      await operator.changeSetting("nfse_url_live", simulator.url);
      await operator.changeSetting("nfse_trusted_certificates", "signer.pem");
    });
    await leaseFor(deployment, LEASES.living);
    await replaceIn(deployment, "invoicing.retry_delay(integer)", /coalesce\(.*\)(?=::interval)/, `'${RETRY}'`);
    fs.writeFileSync(path.join(folder, "signer.pem"), simulator.signerPem);
    fs.writeFileSync(path.join(folder, "ca.pem"), simulator.caPem);
    const gateway = await deployment.startGateway({ LOG_LEVEL: "trace" });
    const organization = await deployment.newOrganization();
    const caller = invoicingCaller(deployment, organization.live);
    const customer = await caller.addCustomer();
    const service = await caller.addService();
    const password = `segredo-${randomUUID()}`;
    const certified = await Promise.all(
      ISSUERS.map(async (cnpj) => {
        const issuer = await caller.addIssuer({ cnpj });
        const { p12, pem } = await simulator.makeA1({ cnpj, name: ISSUER.name, password });
        await certify(deployment, organization, issuer.id, p12, password);
        return { id: String(issuer.id), p12, key: pem.privateKey };
      }),
    );
    const members = certified.map(({ id }) => ({ customer_id: customer.id, service_id: service.id, issuer_id: id }));
    const secrets = secretsOf(password, certified);
    return new InvoiceFaults(deployment, simulator, secrets, [gateway], folder, caller, members);
  }

  async close(): Promise<void> {
    clearInterval(this.#waking);
    await this.deployment.stop();
    await this.simulator.stop();
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }

  async startWorker(): Promise<SeloProcess> {
    const worker = await this.deployment.startWorker({
      LOG_LEVEL: "trace",
      NFSE_URL_LIVE: this.simulator.url,
      NFSE_CA_FILE: path.join(this.#folder, "ca.pem"),
      NFSE_TRUSTED_CERTIFICATES: path.join(this.#folder, "signer.pem"),
    });
    this.programs.push(worker);
    return worker;
  }

  /** From now on others soon get what a killed program held. */
  beginKilling(): Promise<void> {
    return leaseFor(this.deployment, LEASES.killed);
  }

  /** The workers that run; new ones where there are fewer. */
  async runningWorkers(count: number): Promise<readonly SeloProcess[]> {
    const [, ...workers] = this.programs;
    const running = workers.filter(({ child }) => child.exitCode === null && child.signalCode === null);
    const missing = Array.from({ length: Math.max(0, count - running.length) }, () => this.startWorker());
    return [...running, ...(await Promise.all(missing))];
  }

  /** Asks for invoices, of each issuer in turn. */
  async emit(count: number): Promise<void> {
    for (let asked = 0; asked < count; asked++) {
      const members = { ...this.#members[this.emitted.length % this.#members.length], amount_services: "1000.00" };
      const answer = await this.#caller.ask("POST", "/invoices", members);
      if (answer.status !== 201) throw new Error(`POST /invoices was answered ${answer.status}: ${answer.text}`);
      this.emitted.push(answer.body.id);
    }
  }

  /** Asks for the cancellation of what is authorized, of each third invoice. */
  async cancelSome(): Promise<void> {
    const { items } = (await this.#caller.ask("GET", "/invoices?status=authorized&limit=100")).body;
    for (const { id } of items as readonly Listed[]) {
      if (this.toCancel.has(id) || this.emitted.indexOf(id) % 3 !== 0) continue;
      const asked = { reason_code: "1", reason: "Erro na emissão da nota" };
      const { status, text } = await this.#caller.ask("POST", `/invoices/${id}/cancel`, asked);
      if (status !== 202) throw new Error(`the cancellation was answered ${status}: ${text}`);
      this.toCancel.add(id);
    }
  }

  /** How many invoices and cancellations wait for their end. */
  waiting(): Promise<number> {
    return this.#count("select from invoicing.invoices where status in ('queued', 'failed', 'canceling')");
  }

  /** Attempts under way, and those that a killed worker held. */
  leased(): Promise<number> {
    return this.#count("select from invoicing.transmissions where leased_until > clock_timestamp()");
  }

  /** Nothing is killed any more, and what the tax authority answers is ordinary: until all has ended. */
  async settled(): Promise<void> {
    await leaseFor(this.deployment, LEASES.living);
    this.simulator.setScenario({ next: [] });
    await expect.poll(() => this.waiting(), { timeout: 120_000, interval: 50 }).toBe(0);
  }

  /** Each invoice is one NFS-e, with a number of its own and none between left out; what was asked to be canceled is, once. */
  async expectOneEach(): Promise<void> {
    const { rows } = await this.deployment.admin.query<Issued>(ACCOUNT);
    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(this.emitted));
    for (const { id, issuer_id, number, dps_id, access_key, ...invoice } of rows) {
      const canceled = this.toCancel.has(id) ? 1 : 0;
      expect({ id, ...invoice }).toEqual({
        id,
        status: canceled === 1 ? "canceled" : "authorized",
        ...{ authorized: 1, told_authorized: 1, canceled, told_canceled: canceled },
      });
    }
    const numbers = Map.groupBy(rows, ({ issuer_id }) => issuer_id);
    for (const ofIssuer of numbers.values())
      expect(ofIssuer.map(({ number }) => Number(number))).toEqual(ofIssuer.map((_, index) => index + 1));
    expect(this.simulator.nfseCounts()).toEqual(Object.fromEntries(rows.map(({ dps_id }) => [dps_id, 1])));
    const canceled = rows.filter(({ status }) => status === "canceled").map(({ access_key }) => access_key);
    expect(this.#canceledThere()).toEqual(new Set(canceled));
    expect((await this.deployment.verifyAudit()).faults).toEqual([]);
  }

  /** Access keys of the NFS-e that the tax authority has canceled, from its files. */
  #canceledThere(): ReadonlySet<string> {
    const folder = path.join(this.#folder, "simulator", "nfse");
    const documents = fs
      .readdirSync(folder)
      .map((name) => JSON.parse(fs.readFileSync(path.join(folder, name), "utf8")));
    return new Set(documents.filter(({ event_xml }) => event_xml !== null).map(({ access_key }) => access_key));
  }

  async #count(text: string): Promise<number> {
    return (await this.deployment.admin.query(text)).rowCount ?? 0;
  }
}

const ACCOUNT = `
  select invoice.id, invoice.issuer_id, invoice.status, invoice.number, invoice.access_key, transmission.request_id as dps_id,
    (select count(*)::int from platform.audit_events as event where event.subject_id = invoice.id and event.action = 'invoice.authorized') as authorized,
    (select count(*)::int from platform.audit_events as event where event.subject_id = invoice.id and event.action = 'invoice.canceled') as canceled,
    (select count(*)::int from webhooks.events as event where event.type = 'invoice.authorized' and event.body::json ->> 'resource_id' = invoice.id::text) as told_authorized,
    (select count(*)::int from webhooks.events as event where event.type = 'invoice.canceled' and event.body::json ->> 'resource_id' = invoice.id::text) as told_canceled
  from invoicing.invoices as invoice
  join invoicing.transmissions as transmission on transmission.invoice_id = invoice.id and transmission.kind = 'issue'
  order by invoice.issuer_id, invoice.number`;

const leaseFor = (deployment: Deployment, lease: string): Promise<void> =>
  replaceIn(deployment, "jobs.claim_transmissions(integer)", /(?<=interval ')[^']+/, lease);

/** Changes a function of this deployment's database. */
async function replaceIn({ admin }: Deployment, name: string, from: RegExp, to: string): Promise<void> {
  const { rows } = await admin.query<{ text: string }>("select pg_get_functiondef($1::regprocedure) as text", [name]);
  const [text = ""] = rows.map((row) => row.text);
  if (!from.test(text)) throw new Error(`${name} has no ${from}`);
  await admin.query(text.replace(from, to));
}

async function certify(
  { baseUrl }: Deployment,
  { live }: TestOrganization,
  issuerId: string,
  p12: Buffer,
  password: string,
): Promise<void> {
  const form = new FormData();
  form.set("password", password);
  form.set("file", new Blob([new Uint8Array(p12)]), "a1.pfx");
  const answer = await fetch(`${baseUrl}/api/v1/issuers/${issuerId}/certificate`, {
    method: "POST",
    headers: { authorization: `Bearer ${live}` },
    body: form,
  });
  if (answer.status !== 200) throw new Error(`the certificate was answered ${await answer.text()}`);
}

/** The password; and of each key and file some bytes that no certificate has, also as digits and, of the key, as lines of its PEM. */
function secretsOf(password: string, files: readonly { readonly p12: Buffer; readonly key: string }[]): IssuerSecrets {
  const lines = files.flatMap(({ key }) =>
    key
      .split("\n")
      .filter((line) => line.length === PEM_LINE)
      // Before them stands the public half.
      .slice(Math.ceil(PUBLIC_BYTES / PEM_LINE_BYTES)),
  );
  const bytes = files.flatMap(({ key, p12 }) => {
    const der = Buffer.from(key.replaceAll(/-----[^-]+-----|\s/g, ""), "base64");
    return [der.subarray(PUBLIC_BYTES, PUBLIC_BYTES + 32), p12.subarray(-128, -96)];
  });
  return { texts: [password, ...lines, ...bytes.map((piece) => piece.toString("hex"))], bytes };
}

const PEM_LINE = 64;
const PEM_LINE_BYTES = 48;
/** Of PKCS#8: the modulus of 2,048 bits and the exponent, with what stands before them. */
const PUBLIC_BYTES = 320;
