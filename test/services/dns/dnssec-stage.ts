// Zones that are signed, and what their parent publishes.
import type pg from "pg";
import { expect } from "vitest";
import { inContext, ownerPool } from "../../support/owner.ts";
import type { RestResponse } from "../../support/rest-client.ts";
import type { Customer, DnsStage, Zone } from "./dns-stage.ts";

/** A key as the API answers it. */
export interface KeyBody {
  readonly key_id: number;
  readonly active: boolean;
  readonly dnskey: string;
  readonly ds_records: readonly string[];
  readonly algorithm: string;
  readonly created_at: string;
}

/** What every DNSSEC endpoint answers. */
export interface DnssecBody {
  readonly enabled: boolean;
  readonly keys: readonly KeyBody[];
  readonly chain: string;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

async function answered(asked: Promise<RestResponse>, expected = 200): Promise<DnssecBody> {
  const { status, body } = await asked;
  expect({ status, body }).toEqual({ status: expected, body });
  return body;
}

export const enable = (zone: Zone) => answered(zone.ask("POST", "/dnssec"), 201);
export const rotate = (zone: Zone) => answered(zone.ask("POST", "/dnssec/rotate"));
export const remove = (zone: Zone, key: KeyBody | undefined) =>
  answered(zone.ask("DELETE", `/dnssec/keys/${key?.key_id}`));
export const disable = (zone: Zone) => answered(zone.ask("DELETE", "/dnssec", { confirm: true }));
export const status = (zone: Zone) => answered(zone.ask("GET", "/dnssec"));

/** The parent of zones, as checks of delegations note what it publishes. */
export class Parent {
  readonly #owner: pg.Pool;

  constructor(stage: DnsStage) {
    this.#owner = ownerPool(stage.selo.database);
  }

  /** @param ds DS records; null where nobody answered */
  async publishes({ organization }: Customer, { body }: Zone, ds: readonly string[] | null): Promise<void> {
    await inContext(this.#owner, organization.id, "live", (client) =>
      client.query("select dns.record_parent_ds($1, $2)", [body.id, ds]),
    );
  }

  close(): Promise<void> {
    return this.#owner.end();
  }
}
