import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Question } from "../../src/adapters/resolver/message.ts";
import { startAsking } from "./dns-asking.ts";
import { type DnsBench, startDnsBench } from "./dns-bench.ts";
import { verdict } from "./dnssec-oracle.ts";
import { largeZone } from "./large-zone.ts";
import { type Measurement, ROUNDS } from "./measurement.ts";
import { type SigningPrograms, signingPrograms } from "./nameserver-programs.ts";
import { SignatureAsker } from "./signature-asker.ts";
import { isVerified } from "./verified-answer.ts";
import { percentile } from "./webhooks-support.ts";

/** In each zone, in each round. */
const CHANGES = 50;
const SIZES = [10, 10_000];
/** The names that are asked all the time. */
const NAMES = 10;
/** An old answer that comes into a cache after the first look would stay there for a minute. */
const LATER_MS = 5;
/** A first answer that is not signed is waited for so long. */
const PATIENCE_MS = 5_000;

interface Zone {
  readonly id: number;
  readonly name: string;
  readonly records: number;
}

/** What was seen in a zone; times in milliseconds. */
interface Seen {
  readonly response: number[];
  /** From the response on. */
  readonly valid: number[];
  readonly together: number[];
  /** From the request that disables it. */
  readonly disabled: number[];
  /** Answers that should have been signed and were not, or the other way round: the first, and those a little later. */
  readonly wrong: Record<"enabled" | "enabledLater" | "disabled" | "disabledLater", number>;
  asked: number;
  /** Answers that delv accepted, of so many. */
  accepted: number;
  judged: number;
}

/**
 * How long it takes from `POST …/dnssec` until its response, and from there until the first answers whose signatures hold, in a small and in a large zone, while
 * the same names are asked all the time and the caches are full of unsigned answers. Aim: 0 first answers that are not signed.
 */
export async function enableDnssec(): Promise<Measurement[]> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-bench-enable-"));
  const signing = await signingPrograms();
  const bench = await startDnsBench();
  try {
    const zones: Zone[] = [];
    for (const records of SIZES) {
      const name = `of-${records}.test`;
      const addresses = Array.from({ length: NAMES }, (_, place) => `asked-${place} 300 IN A 192.0.2.1`).join("\n");
      const file = records === NAMES ? addresses : `${addresses}\n${largeZone(records - NAMES)}`;
      zones.push({ id: await bench.importZone(name, file), name, records });
    }
    await bench.gateway.analyze();
    const rows: Measurement[] = [];
    for (const zone of zones) rows.push(...shown(zone, await measured(bench, signing, folder, zone)));
    return rows;
  } finally {
    await bench.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function measured(bench: DnsBench, signing: SigningPrograms, folder: string, zone: Zone): Promise<Seen> {
  const asker = await SignatureAsker.connect(bench.nameserver);
  const names = Array.from({ length: NAMES }, (_, place) => `asked-${place}.${zone.name}`);
  const asking = await startAsking(bench.nameserver.port, [...names, `missing.${zone.name}`], 2_000, true);
  const wrong = { enabled: 0, enabledLater: 0, disabled: 0, disabledLater: 0 };
  const seen: Seen = {
    response: [],
    valid: [],
    together: [],
    disabled: [],
    wrong,
    asked: 0,
    accepted: 0,
    judged: 0,
  };
  try {
    for (let number = 0; number < ROUNDS * CHANGES; number++) {
      const questions: Question[] = [
        { name: zone.name, type: "DNSKEY" },
        { name: names[number % NAMES] ?? "", type: "A" },
        { name: `missing.${zone.name}`, type: "A" },
      ];
      const unverified = async (ds: string) => {
        const replies = await Promise.all(questions.map((question) => asker.ask(question)));
        const [dnskeys] = replies;
        if (dnskeys === undefined) throw new Error("nothing was asked");
        return replies.filter((reply) => !isVerified(reply, dnskeys, zone.name, ds)).length;
      };
      const signed = async () => {
        const replies = await Promise.all(questions.map((question) => asker.ask(question)));
        return replies.filter(({ answers, authorities }) =>
          [...answers, ...authorities].some(({ type }) => type === "RRSIG" || type === "DNSKEY"),
        ).length;
      };
      // Into the caches.
      if ((await signed()) > 0) throw new Error(`${zone.name} is signed before DNSSEC is enabled`);
      const begun = performance.now();
      const { text, confirmed } = await bench.ask("POST", `/zones/${zone.id}/dnssec`);
      const responded = performance.now();
      if (confirmed !== "1/1") throw new Error(`DNSSEC was enabled, and ${confirmed} nameservers know it`);
      const { keys } = JSON.parse(text) as { readonly keys: readonly { readonly ds_records: readonly string[] }[] };
      const ds = keys[0]?.ds_records[0] ?? "";
      const first = await unverified(ds);
      for (let left = first; left > 0; left = await unverified(ds))
        if (performance.now() - responded > PATIENCE_MS) throw new Error(`${zone.name} has no valid answers`);
      const valid = performance.now();
      seen.response.push(responded - begun);
      seen.valid.push(valid - responded);
      seen.together.push(valid - begun);
      seen.asked += questions.length;
      wrong.enabled += first;
      await pause(LATER_MS);
      wrong.enabledLater += await unverified(ds);

      const server = { ...bench.nameserver, ds: { [zone.name]: ds } };
      for (const [question, expected] of [
        [questions[1], "secure"],
        [questions[2], "secure: no such name"],
      ] as const) {
        if (question === undefined) continue;
        seen.judged += 1;
        if ((await verdict(signing, server, zone.name, question, folder)) === expected) seen.accepted += 1;
      }

      const disabling = performance.now();
      await bench.ask("DELETE", `/zones/${zone.id}/dnssec`, { confirm: true });
      seen.disabled.push(performance.now() - disabling);
      wrong.disabled += await signed();
      await pause(LATER_MS);
      wrong.disabledLater += await signed();
    }
  } finally {
    asking.end();
    asker.close();
  }
  const { rate, answered } = await asking.report();
  if (answered < 0.95) throw new Error(`of ${rate} questions a second, ${(answered * 100).toFixed(1)} % were answered`);
  return seen;
}

function shown({ records }: Zone, seen: Seen): Measurement[] {
  const times = (figure: string, all: readonly number[]): Measurement => {
    const sorted = [...all].sort((left, right) => left - right);
    const part = (share: number) => `${percentile(sorted, share).toFixed(1)} ms`;
    return { figure, value: `${all.length} times`, p50: part(0.5), p99: part(0.99) };
  };
  const { wrong, asked } = seen;
  return [
    times(
      `enabling DNSSEC in a zone of ${records.toLocaleString("en")}: from the request to its response`,
      seen.response,
    ),
    times("… from the response to the first valid DNSKEY, address and denial, read and verified", seen.valid),
    times("… from the request to them", seen.together),
    {
      figure: `… first answers after it that are not signed; ${LATER_MS} ms later`,
      value: `${wrong.enabled} of ${asked}; ${wrong.enabledLater}`,
      peer: `aim: 0; delv accepted ${seen.accepted} of ${seen.judged}`,
    },
    times("… disabling it: from the request to its response", seen.disabled),
    {
      figure: `… first answers after it that are signed; ${LATER_MS} ms later`,
      value: `${wrong.disabled} of ${asked}; ${wrong.disabledLater}`,
      peer: "aim: 0",
    },
  ];
}
