// Invoices and the simulator of the tax authority, with a queue that a test works off itself in place of a worker.
import fs from "node:fs";
import path from "node:path";
import pino from "pino";
import { type Simulator, startSimulator } from "../../../src/adapters/tax-authority/simulator/simulator.ts";
import { TaxAuthority } from "../../../src/adapters/tax-authority/tax-authority.ts";
import { Jobs } from "../../../src/postgres/jobs.ts";
import { createPool } from "../../../src/postgres/pool.ts";
import { claimTransmissions, type TransmissionLease } from "../../../src/services/invoicing/store.ts";
import { attempt } from "../../../workers/invoicing/attempt.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { MEMORY } from "../../support/global-setup.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { ISSUER, invoicingCaller } from "./invoicing-stage.ts";

type AttemptParts = Parameters<typeof attempt>[0];

interface Transmission {
  readonly due_at: Date | null;
  readonly attempts: number;
  readonly first_failed_at: Date | null;
  readonly is_in_doubt: boolean;
  readonly lease_id: string | null;
  readonly request_id: string | null;
  readonly request: Buffer | null;
  readonly answer: Buffer | null;
}

export class TransmissionStage {
  readonly selo: TestGateway;
  readonly simulator: Simulator;
  readonly organization: TestOrganization;
  readonly jobs: Jobs;
  readonly authority: TaxAuthority;
  readonly pool: ReturnType<typeof createPool>;
  readonly #folder: string;

  private constructor(selo: TestGateway, simulator: Simulator, organization: TestOrganization, folder: string) {
    this.selo = selo;
    this.simulator = simulator;
    this.organization = organization;
    this.#folder = folder;
    const { workerUrl: url } = selo.database;
    this.pool = createPool({ url, role: "selo_worker", applicationName: "test worker" }, 8, () => {});
    this.jobs = new Jobs(this.pool);
    this.authority = new TaxAuthority({ baseUrl: simulator.url, ca: simulator.caPem });
  }

  static async open(): Promise<TransmissionStage> {
    const selo = await startTestGateway();
    const folder = fs.mkdtempSync(path.join(MEMORY, "selo-simulator-"));
    const simulator = await startSimulator({ folder, environment: "live" });
    await openRoutes(selo);
    const organization = await selo.newOrganization({ name: "Acme", timeZone: "America/Sao_Paulo" });
    return new TransmissionStage(selo, simulator, organization, folder);
  }

  async close(): Promise<void> {
    await this.authority.close();
    await this.pool.end();
    await this.simulator.stop();
    await this.selo.stop();
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }

  /** An issuer with a certificate, a customer and a service, and who asks for them. */
  async ready(token = this.organization.live, more: { readonly issuer?: object; readonly service?: object } = {}) {
    const caller = invoicingCaller(this.selo, token);
    const issuer = await caller.addIssuer(more.issuer);
    const cnpj = String(issuer.cnpj ?? ISSUER.cnpj);
    const { p12, pem: identity } = await this.simulator.makeA1({
      cnpj,
      name: "Oficina de Software",
      password: "segredo",
    });
    const certified = await this.certify(token, issuer.id, p12, "segredo");
    if (certified.status !== 200) throw new Error(`the certificate was answered ${await certified.text()}`);
    const [customer, service] = [await caller.addCustomer(), await caller.addService(more.service)];
    const emit = async (members: object = {}) => {
      const answer = await caller.ask("POST", "/invoices", {
        customer_id: customer.id,
        service_id: service.id,
        issuer_id: issuer.id,
        amount_services: "1000.00",
        ...members,
      });
      if (answer.status !== 201) throw new Error(`POST /invoices was answered ${answer.status}: ${answer.text}`);
      return answer.body;
    };
    const read = async (id: string) => (await caller.ask("GET", `/invoices/${id}`)).body;
    return { ...caller, issuer, identity, customer, service, emit, read };
  }

  certify(token: string, id: string, file: Buffer, password: string): Promise<Response> {
    const form = new FormData();
    form.set("password", password);
    form.set("file", new Blob([new Uint8Array(file)]), "a1.pfx");
    return fetch(`${this.selo.baseUrl}/api/v1/issuers/${id}/certificate`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
  }

  claim(most = 20): Promise<TransmissionLease[]> {
    return claimTransmissions(this.jobs, most);
  }

  /** What the next requests to the simulator meet, and nothing that was set before. */
  next(...steps: readonly object[]): void {
    this.simulator.setScenario({ next: steps.map((step) => ({ ...step })) });
  }

  /** One attempt of a lease, with other parts than usual where they are given. */
  run(lease: TransmissionLease, parts: Partial<AttemptParts> = {}): Promise<void> {
    const route = { authority: this.authority, trusted: [this.simulator.signerPem] };
    return attempt(
      { jobs: this.jobs, log: pino({ level: "silent" }), masterKeys, routeOf: async () => route, ...parts },
      lease,
    );
  }

  /** What the transmission of an invoice is, as the row has it. */
  async transmission(invoiceId: string, kind: TransmissionLease["kind"] = "issue") {
    const { rows } = await this.selo.database.admin.query<Transmission>(
      "select * from invoicing.transmissions where invoice_id = $1 and kind = $2",
      [invoiceId, kind],
    );
    const [found] = rows;
    if (found === undefined) throw new Error(`invoice ${invoiceId} was never to be transmitted`);
    return found;
  }

  /** How many NFS-e the simulator has of an invoice. */
  async nfseOf(invoiceId: string): Promise<number> {
    const { request_id } = await this.transmission(invoiceId);
    return this.simulator.nfseCounts()[request_id ?? ""] ?? 0;
  }

  /** The events that webhooks are told of an invoice, the oldest first. */
  async eventsOf(invoiceId: string): Promise<readonly { type: string; data: Record<string, unknown> }[]> {
    const { rows } = await this.selo.database.admin.query<{ type: string; data: Record<string, unknown> }>(
      "select type, body::json -> 'data' as data from webhooks.events where body::json ->> 'resource_id' = $1 order by id",
      [invoiceId],
    );
    return rows;
  }

  /** Attempts all that is due, together; answers how many. */
  async work(): Promise<number> {
    const leases = await this.claim();
    await Promise.all(leases.map((lease) => this.run(lease)));
    return leases.length;
  }

  /** What waits for a later attempt is due now. */
  async comeDue(): Promise<void> {
    await this.selo.database.admin.query(
      "update invoicing.transmissions set due_at = now(), leased_until = null where due_at is not null",
    );
  }
}

/** The deployment has addresses of the tax authority. */
async function openRoutes({ operator }: Pick<TestGateway, "operator">): Promise<void> {
  for (const environment of ["live", "test"]) await operator.changeSetting(`nfse_url_${environment}`, "simulator");
}
