import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { Operator } from "../../src/postgres/operator/operator.ts";
import { ADDRESS, CUSTOMER, ISSUER, SERVICE } from "../services/invoicing/invoicing-stage.ts";
import { type BenchGateway, startBenchGateway } from "./bench-gateway.ts";
import { type BenchA1, PASSWORD, type SimulatorPlace, type SimulatorQuestion } from "./invoices-simulator-words.ts";
import { type Child, startChild } from "./webhooks-child.ts";

/** An issuer with a certificate, and what its invoices name. */
export interface BenchIssuer {
  readonly id: string;
  readonly cnpj: string;
  readonly a1: BenchA1;
  /** The body of POST /invoices. */
  readonly invoice: Readonly<Record<string, string>>;
}

/** A gateway, the simulator of the tax authority and issuers, each process apart, beside an embedded Postgres with fsync on. */
export interface InvoiceBench {
  readonly gateway: BenchGateway;
  readonly simulator: Child;
  readonly place: SimulatorPlace;
  /** Superuser. */
  readonly admin: pg.Pool;
  readonly issuers: readonly BenchIssuer[];
  ask(method: string, path: string, body?: object | FormData): Promise<Record<string, unknown>>;
  /** Makes so many invoices, of the issuers in turns. They are queued, and due only when they are released. */
  queue(count: number): Promise<void>;
  /** All that was queued is due, in one moment. */
  release(): Promise<void>;
  /** Resolves when no transmission waits or is under way, other than those that were not released. */
  untilTransmitted(): Promise<void>;
  stop(): Promise<void>;
}

/** What is queued waits until it is released, so that the time to queue it is none of the measurement. */
const HOLD = `
  create schema bench;
  create function bench.hold() returns trigger language plpgsql as $$
  begin
    new.due_at := 'infinity';
    return new;
  end $$;
  create trigger hold before insert on invoicing.transmissions for each row execute function bench.hold()`;
/** Invoices that are made at once. */
const MAKERS = 8;

/** @param count of issuers, each with a certificate: at most five transmissions of one are under way at once */
export async function startInvoiceBench(count: number): Promise<InvoiceBench> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-bench-route-"));
  const simulator = startChild("invoices-simulator.ts");
  const asked = <Answer>(question: SimulatorQuestion) => simulator.ask<Answer>(question);
  const place = await asked<SimulatorPlace>({ ask: "where" });
  const settings = {
    NFSE_URL_LIVE: place.url,
    NFSE_CA_FILE: path.join(folder, "ca.pem"),
    NFSE_TRUSTED_CERTIFICATES: path.join(folder, "signer.pem"),
  };
  fs.writeFileSync(settings.NFSE_CA_FILE, place.caPem);
  fs.writeFileSync(settings.NFSE_TRUSTED_CERTIFICATES, place.signerPem);
  const gateway = await startBenchGateway(settings);
  const operator = await Operator.connect(gateway.adminUrl);
  await operator.changeSetting("nfse_url_live", settings.NFSE_URL_LIVE);
  await operator.changeSetting("nfse_trusted_certificates", settings.NFSE_TRUSTED_CERTIFICATES);
  await operator.close();
  const admin = new pg.Pool({ connectionString: gateway.adminUrl, max: 4 });
  admin.on("error", () => {});
  await admin.query(HOLD);
  const ask = async (method: string, path: string, body?: object | FormData) => {
    const response = await fetch(`${gateway.url}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${gateway.organization.live}`,
        ...(body !== undefined && !(body instanceof FormData) && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  };
  const customer = await ask("POST", "/customers", { ...CUSTOMER, address: ADDRESS });
  const service = await ask("POST", "/services", SERVICE);
  const issuers: BenchIssuer[] = [];
  for (let number = 1; number <= count; number++) {
    const cnpj = cnpjOf(number);
    const issuer = await ask("POST", "/issuers", { ...ISSUER, cnpj });
    const a1 = await asked<BenchA1>({ ask: "a1", cnpj });
    const form = new FormData();
    form.set("password", PASSWORD);
    form.set("file", new Blob([Buffer.from(a1.p12, "base64")]), "a1.pfx");
    await ask("POST", `/issuers/${issuer["id"]}/certificate`, form);
    const invoice = {
      customer_id: String(customer["id"]),
      service_id: String(service["id"]),
      issuer_id: String(issuer["id"]),
      amount_services: "1500.00",
    };
    issuers.push({ id: String(issuer["id"]), cnpj, a1, invoice });
  }
  return {
    gateway,
    simulator,
    place,
    admin,
    issuers,
    ask,
    async queue(invoices) {
      let made = 0;
      const make = async () => {
        while (made < invoices) await ask("POST", "/invoices", issuers[made++ % issuers.length]?.invoice);
      };
      await Promise.all(Array.from({ length: MAKERS }, make));
    },
    async release() {
      await admin.query("update invoicing.transmissions set due_at = clock_timestamp() where due_at = 'infinity'");
      await admin.query("notify invoice_transmissions");
    },
    async untilTransmitted() {
      const waits = "select exists (select from invoicing.transmissions where due_at < 'infinity') as waits";
      while ((await admin.query<{ waits: boolean }>(waits)).rows[0]?.waits) await setTimeout(5);
    },
    async stop() {
      await admin.end();
      await gateway.stop();
      await simulator.stop();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A CNPJ with right check digits. */
function cnpjOf(number: number): string {
  const digit = (digits: string) => {
    const sum = [...digits].reverse().reduce((total, each, place) => total + Number(each) * (2 + (place % 8)), 0);
    return sum % 11 < 2 ? 0 : 11 - (sum % 11);
  };
  let cnpj = `${String(number).padStart(8, "7")}0001`;
  for (let place = 0; place < 2; place++) cnpj += digit(cnpj);
  return cnpj;
}
