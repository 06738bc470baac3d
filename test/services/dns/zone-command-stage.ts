// `selo zone` in this process, against its own gateway.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { type Ran, runSelo } from "./command-line.ts";
import { type Customer, DnsStage, NAMESERVERS, type Zone } from "./dns-stage.ts";

/** A zone file of four records beside those of the apex. */
export const FILE = `$TTL 3600
@ IN SOA ns1.elsewhere.test. root.elsewhere.test. 1 7200 3600 1209600 3600
@ IN NS ns1.elsewhere.test.
www 300 A 192.0.2.1
www 300 AAAA 2001:DB8:0::1
@ MX 10 mail
txt TXT "one" "two"
`;

export class ZoneCommandStage {
  readonly dns: DnsStage;
  readonly customer: Customer;
  /** A folder for files, which is no data folder of Selo. */
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-zones-"));

  private constructor(dns: DnsStage, customer: Customer) {
    this.dns = dns;
    this.customer = customer;
  }

  /** @param environment settings of the gateway */
  static async open(environment: Readonly<Record<string, string>> = {}): Promise<ZoneCommandStage> {
    const dns = await DnsStage.open(NAMESERVERS, environment);
    return new ZoneCommandStage(dns, await dns.customer({ plan: "growth" }));
  }

  async close(): Promise<void> {
    await this.dns.close();
    fs.rmSync(this.folder, { recursive: true });
  }

  /** `selo zone` with the customer's key. */
  run(words: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Ran> {
    return runSelo(["zone", ...words], {
      PUBLIC_URL: this.dns.selo.baseUrl,
      SELO_DATA_DIR: this.folder,
      SELO_DNS_KEY: this.customer.token,
      ...environment,
    });
  }

  /** The output of a command that succeeds. */
  async said(...words: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(words);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return stdout;
  }

  async json<Answer>(...words: readonly string[]): Promise<Answer> {
    return JSON.parse(await this.said(...words, "--json")) as Answer;
  }

  /** The path of a new file. */
  file(content: string | Uint8Array): string {
    const name = path.join(fs.mkdtempSync(path.join(this.folder, "file-")), "zone");
    fs.writeFileSync(name, content);
    return name;
  }

  /** A zone with the records of {@link FILE}. */
  async filled(): Promise<Zone> {
    const zone = await this.customer.zone();
    await this.said("import", zone.name, this.file(FILE));
    return zone;
  }
}
