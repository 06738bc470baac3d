// A gateway, and organizations with keys of DNS.
import { expect } from "vitest";
import { issueKey } from "../../../src/services/dns/store.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { type GraphqlAnswer, graphql } from "../../support/graphql-client.ts";
import { call, expectError, type RestRequest, type RestResponse } from "../../support/rest-client.ts";

/** A zone as the API answers it. */
export interface ZoneBody {
  readonly id: number;
  readonly org_id: number;
  readonly name: string;
  readonly status: string;
  readonly nameservers: readonly string[] | null;
  readonly dnssec_enabled: boolean;
  readonly checked_at: string | null;
  readonly created_at: string;
}

/** A record as the API answers it. */
export interface RecordBody {
  readonly id: number;
  readonly zone_id: number;
  readonly name: string;
  readonly type: string;
  readonly content: string;
  readonly ttl: number;
  readonly priority: number | null;
  readonly disabled: boolean;
  readonly comment: string | null;
  readonly created_at: string;
}

/** The names of the nameservers, unless a test sets others. */
export const NAMESERVERS = ["ns1.selo.test", "ns2.selo.test", "ns3.selo.test", "ns4.selo.test"];

/** An organization with a key of all four scopes. */
export class Customer {
  readonly stage: DnsStage;
  readonly organization: TestOrganization;
  readonly token: string;

  constructor(stage: DnsStage, organization: TestOrganization, token: string) {
    this.stage = stage;
    this.organization = organization;
    this.token = token;
  }

  /** A request; `path` begins below the organization. */
  ask(method: string, path: string, body?: object, request: RestRequest = {}): Promise<RestResponse> {
    return call(this.stage.selo, method, `/orgs/${this.organization.number}${path}`, {
      prefix: "/v1",
      token: this.token,
      body,
      ...request,
    });
  }

  graphql(
    query: string,
    variables?: Readonly<Record<string, unknown>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<GraphqlAnswer> {
    return graphql(this.stage.selo, this.token, query, variables, headers);
  }

  /** The secret of a key of these scopes alone. */
  async key(scopes: readonly string[]): Promise<string> {
    return (await issueKey(this.stage.selo.operator, this.organization.id, "some", scopes)).secret;
  }

  /** Makes a zone; a new name unless one is given. */
  async zone(name = this.stage.newName()): Promise<Zone> {
    const { status, body } = await this.ask("POST", "/zones", { name });
    expect({ status, body }).toMatchObject({ status: 201 });
    return new Zone(this, body);
  }

  /** What dns.usage counts, beside what there is. */
  async usage(): Promise<{ readonly counted: readonly number[]; readonly real: readonly number[] }> {
    const [row] = await this.stage.rows<{ counted: number[]; real: number[] }>(
      `select coalesce((select array[zones, records] from dns.usage where tenant_id = $1), '{0,0}') as counted,
         array[(select count(*)::int from dns.zones where tenant_id = $1), (select count(*)::int from dns.records where tenant_id = $1)] as real`,
      [this.organization.id],
    );
    return row ?? { counted: [], real: [] };
  }
}

/** A zone of a customer. */
export class Zone {
  readonly customer: Customer;
  readonly body: ZoneBody;

  constructor(customer: Customer, body: ZoneBody) {
    this.customer = customer;
    this.body = body;
  }

  get name(): string {
    return this.body.name;
  }

  /** A request; `path` begins below the zone. */
  ask(method: string, path = "", body?: object, request: RestRequest = {}): Promise<RestResponse> {
    return this.customer.ask(method, `/zones/${this.body.id}${path}`, body, request);
  }

  /** Tries to add a record. */
  post(record: object): Promise<RestResponse> {
    return this.ask("POST", "/records", record);
  }

  /** Adds a record. */
  async add(record: object): Promise<RecordBody> {
    const { status, body } = await this.post(record);
    expect({ status, body }).toMatchObject({ status: 201 });
    return body;
  }

  /** Replaces sets. */
  put(sets: readonly object[], more: object = {}): Promise<RestResponse> {
    return this.ask("PUT", "/records", { sets, ...more });
  }

  async records(query = ""): Promise<readonly RecordBody[]> {
    const { status, body } = await this.ask("GET", `/records${query}`);
    expect(status).toBe(200);
    return body;
  }

  // biome-ignore lint/suspicious/noExplicitAny: changes as the API answers them; expectations look into them
  async changes(query = ""): Promise<readonly any[]> {
    const { status, body } = await this.ask("GET", `/changes${query}`);
    expect(status).toBe(200);
    return body;
  }

  async serial(): Promise<number> {
    const [row] = await this.customer.stage.rows<{ serial: string }>("select serial from dns.zones where id = $1", [
      this.body.id,
    ]);
    return Number(row?.serial);
  }
}

export class DnsStage {
  readonly selo: TestGateway;
  #names = 0;

  private constructor(selo: TestGateway) {
    this.selo = selo;
  }

  /** @param nameservers NAMESERVER_NAMES; null: unset */
  static async open(
    nameservers: readonly string[] | null = NAMESERVERS,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<DnsStage> {
    const names = nameservers ? { NAMESERVER_NAMES: nameservers.join(",") } : {};
    return new DnsStage(await startTestGateway({ ...names, ...environment }));
  }

  async customer(options: Parameters<TestGateway["newOrganization"]>[0] = {}): Promise<Customer> {
    const organization = await this.selo.newOrganization(options);
    return new Customer(this, organization, (await issueKey(this.selo.operator, organization.id, "robot")).secret);
  }

  /** A name that no zone has. */
  newName(): string {
    return `zone-${++this.#names}.test`;
  }

  /** Rows that a statement of the administrator answers. */
  async rows<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.selo.database.admin.query<Row>(text, [...values])).rows;
  }

  close(): Promise<void> {
    return this.selo.stop();
  }
}

/** 422 of a record that is not valid: the detail is a sentence that begins with the member. */
export function expectWrongRecord(answer: RestResponse, field: string): void {
  expectError(answer, 422, "record_invalid", [field]);
  expect(answer.body.detail).toBe(`${field} ${answer.body.fields[0].message}.`);
}

/** 422 of records that do not go together: no member alone is wrong. */
export function expectUnfitRecord({ status, body, headers }: RestResponse, code: string): void {
  expect({ status, body }).toEqual({
    status: 422,
    body: { detail: expect.stringMatching(/^\S.*\.$/), code, request_id: headers.get("x-request-id") },
  });
}
