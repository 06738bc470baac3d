// What the programs do with their client of DNS hosting, and what they print of it. A client says in `Dns` how it does it; `work` asks.

export interface Task {
  readonly baseUrl: string;
  readonly token: string;
  readonly orgId: number;
  readonly zone: string;
}

/** An error as a client has it. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly fields: readonly string[] | null;
}

export type Outcome<Value> = { readonly value: Value } | { readonly refusal: Refusal };

export interface Dns {
  me(): Promise<Outcome<{ readonly org_id: number; readonly limits: { readonly dns_records: number } }>>;
  createZone(
    name: string,
  ): Promise<Outcome<{ readonly id: number; readonly nameservers: readonly string[] | null; readonly status: string }>>;
  createRecord(
    zoneId: number,
    name: string,
    content: string,
  ): Promise<Outcome<{ readonly id: number; readonly name: string }>>;
  disable(zoneId: number, recordId: number): Promise<Outcome<boolean>>;
  replace(
    zoneId: number,
    name: string,
    host: string,
  ): Promise<Outcome<{ readonly created: number; readonly deleted: number }>>;
  names(zoneId: number): Promise<Outcome<readonly string[]>>;
  serials(zoneId: number): Promise<Outcome<readonly number[]>>;
  import(
    zoneId: number,
    file: string,
  ): Promise<Outcome<{ readonly imported: number; readonly reasons: readonly string[] }>>;
  export(zoneId: number): Promise<Outcome<string>>;
  deleteZone(zoneId: number): Promise<Outcome<null>>;
}

/** An error of the description: every one has the same members. */
export function refused(
  status: number,
  error: { readonly detail: string; readonly code: string; readonly fields?: readonly { readonly field: string }[] },
): { readonly refusal: Refusal } {
  const { detail, code, fields } = error;
  return { refusal: { status, code, detail, fields: fields?.map(({ field }) => field) ?? null } };
}

function valueIn<Value>(outcome: Outcome<Value>): Value {
  if ("value" in outcome) return outcome.value;
  throw new Error(`refused: ${JSON.stringify(outcome.refusal)}`);
}

export async function work(make: (baseUrl: string, token: string, orgId: number) => Dns): Promise<void> {
  const { baseUrl, token, orgId, zone } = JSON.parse(process.argv[2] ?? "") as Task;
  const dns = make(baseUrl, token, orgId);
  const me = valueIn(await dns.me());
  const { id, nameservers, status } = valueIn(await dns.createZone(zone));
  const record = valueIn(await dns.createRecord(id, "www", "192.0.2.1"));
  const report = {
    me: { orgId: me.org_id, records: me.limits.dns_records },
    zone: { nameservers: nameservers?.length, status },
    record: record.name,
    isDisabled: valueIn(await dns.disable(id, record.id)),
    replaced: valueIn(await dns.replace(id, "www", "host.example.net")),
    imported: valueIn(await dns.import(id, "a 300 IN A 192.0.2.2\nb 300 IN A 192.0.2.256\n")),
    names: valueIn(await dns.names(id)),
    exported: valueIn(await dns.export(id))
      .split("\n")
      .filter((line) => /^(a|www) /.test(line)),
    changes: valueIn(await dns.serials(id)).length,
    refusals: [
      await dns.createZone(zone),
      await dns.createZone("com.br"),
      await dns.createZone("no dot"),
      await dns.createRecord(id, "x", "192.0.2.256"),
      await dns.createRecord(id, "www", "192.0.2.1"),
      await dns.import(id, "$INCLUDE other"),
      await make(baseUrl, token, orgId + 1_000_000).names(id),
      await make(baseUrl, `dns_00000000_${"A".repeat(43)}`, orgId).me(),
      await dns.names(2_147_483_647),
    ].map((outcome) => ("refusal" in outcome ? outcome.refusal : outcome)),
    deleted: valueIn(await dns.deleteZone(id)),
    gone: await dns.names(id),
  };
  process.stdout.write(JSON.stringify(report));
}
