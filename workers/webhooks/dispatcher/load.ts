import type { LeasedDelivery } from "../../../src/services/webhooks/store.ts";

/** Most leased deliveries in all; their bodies are in memory. */
const MOST_LEASED = 2_000;
const MOST_BYTES = 64 * 1024 * 1024;
/** The largest share of one organization: all its receivers may stop answering at once, with everything leased for them. */
const SHARE = 1 / 4;

interface Amount {
  leased: number;
  bytes: number;
}

/** Counts deliveries that a dispatcher has leased and not attempted yet, in all and for each organization. */
export class Load {
  readonly #all: Amount = { leased: 0, bytes: 0 };
  readonly #tenants = new Map<string, Amount>();

  /** How many more deliveries there is room for. */
  get room(): number {
    return this.#all.bytes >= MOST_BYTES ? 0 : Math.max(0, MOST_LEASED - this.#all.leased);
  }

  /** Organizations that have reached their share; one claim may exceed it. */
  get fullTenants(): string[] {
    return [...this.#tenants]
      .filter(([, { leased, bytes }]) => leased >= MOST_LEASED * SHARE || bytes >= MOST_BYTES * SHARE)
      .map(([tenantId]) => tenantId);
  }

  add(delivery: LeasedDelivery): void {
    this.#count(delivery, 1);
  }

  remove(delivery: LeasedDelivery): void {
    this.#count(delivery, -1);
  }

  #count({ tenantId, body }: LeasedDelivery, sign: 1 | -1): void {
    const own = this.#tenants.get(tenantId) ?? { leased: 0, bytes: 0 };
    this.#tenants.set(tenantId, own);
    for (const amount of [this.#all, own]) {
      amount.leased += sign;
      amount.bytes += sign * body.length;
    }
    if (own.leased === 0) this.#tenants.delete(tenantId);
  }
}
