import type { SampleMail } from "../../support/service-facts.ts";

/** A mail of each kind and each of its forms, by the name of the form, as SQL hands them to the worker. */
export const sampleMails: Readonly<Record<string, SampleMail>> = {
  "chain-broken": {
    kind: "zone_chain_broken",
    data: {
      zone_id: 7,
      name: "acme.com.br",
      signed: true,
      parent_ds: [`12345 13 2 ${"AB".repeat(32)}`],
      ds_records: [`54321 13 2 ${"CD".repeat(32)}`],
    },
  },
  "chain-broken-unsigned": {
    kind: "zone_chain_broken",
    // The longest name, and many records of a provider before.
    data: {
      zone_id: 7,
      name: `${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(53)}.com.br`,
      signed: false,
      parent_ds: Array.from({ length: 8 }, (_, place) => `${place} 13 4 ${"AB".repeat(48)}`),
      ds_records: [],
    },
  },
  "zone-lost": {
    kind: "zone_delegation_lost",
    data: {
      zone_id: 12,
      name: "acme.com.br",
      nameservers: ["ns1.selo.example", "ns2.selo.example"],
      observed: ["ns1.outro.com.br", "ns2.outro.com.br"],
    },
  },
  // Names that leave no room, and a domain without nameservers.
  "zone-lost-long": {
    kind: "zone_delegation_lost",
    data: {
      zone_id: 13,
      name: `${"x".repeat(63)}.${"y".repeat(63)}.${"z".repeat(63)}.example`,
      nameservers: [`${"n".repeat(63)}.selo.example`, "ns2.selo.example"],
      observed: [],
    },
  },
  "zone-taken": { kind: "zone_taken", data: { zone_id: 12, name: "acme.com.br", kept_days: 30 } },
};
