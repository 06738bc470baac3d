import { Operator } from "../../src/postgres/operator/operator.ts";
import { issueKey } from "../../src/services/dns/store.ts";
import { newOrganization } from "../support/gateway.ts";
import { startBenchGateway } from "./bench-gateway.ts";
import { largeZone } from "./large-zone.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";
import { forgetPeak, peakOf } from "./peak-memory.ts";

const RECORDS = 100_000;
const LIMIT = 5_000;

interface Run {
  readonly ms: number;
  readonly firstByteMs: number;
  readonly mib: number;
  /** How much more memory the gateway has at most than before, in MiB. */
  readonly moreMib: number;
}

/** How long all records of a large zone take, and how much memory of the gateway, beside the same in pages of the largest limit. Aims: 2 s, 32 MiB. */
export async function records(): Promise<Measurement[]> {
  const gateway = await startBenchGateway({ NAMESERVER_NAMES: "ns1.selo.test,ns2.selo.test" });
  const operator = await Operator.connect(gateway.adminUrl);
  try {
    const organization = await newOrganization(operator, { plan: "business" });
    const { secret } = await issueKey(operator, organization.id, "bench");
    const ask = async (method: string, path: string, body?: object) => {
      const response = await fetch(new URL(path, `${gateway.url}/v1/orgs/${organization.number}/`), {
        method,
        headers: {
          authorization: `Bearer ${secret}`,
          "accept-encoding": "identity",
          ...(body ? { "content-type": "application/json" } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      if (!response.ok || response.body === null)
        throw new Error(`${method} ${path}: ${response.status} ${(await response.text()).slice(0, 300)}`);
      return { headers: response.headers, body: response.body };
    };
    const { id } = (await new Response((await ask("POST", "zones", { name: "large.test" })).body).json()) as {
      readonly id: number;
    };
    await new Response((await ask("POST", `zones/${id}/import`, { bind_file: largeZone(RECORDS) })).body).text();
    const whole = async (path: string) => {
      const begun = performance.now();
      const { headers, body } = await ask("GET", path);
      let bytes = 0;
      let firstByteMs = 0;
      for await (const chunk of body) {
        if (bytes === 0) firstByteMs = performance.now() - begun;
        bytes += chunk.length;
      }
      return { bytes, firstByteMs, next: /^<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1] ?? null };
    };
    const inPages = async (path: string) => {
      const first = await whole(`${path}?limit=${LIMIT}`);
      let { next, bytes } = first;
      while (next !== null) {
        const { pathname, search } = new URL(next, gateway.url);
        const page = await whole(`${gateway.url}${pathname}${search}`);
        bytes += page.bytes;
        next = page.next;
      }
      return { bytes, firstByteMs: first.firstByteMs };
    };
    const measure = async (run: (path: string) => Promise<{ bytes: number; firstByteMs: number }>): Promise<Run> => {
      // Collects the garbage.
      await gateway.probe();
      const before = forgetPeak(gateway.pid);
      const begun = performance.now();
      const { bytes, firstByteMs } = await run(`zones/${id}/records`);
      const ms = performance.now() - begun;
      const most = peakOf(gateway.pid);
      return { ms, firstByteMs, mib: bytes / 1024 ** 2, moreMib: (most - before) / 1024 ** 2 };
    };
    const runs: { readonly all: Run; readonly pages: Run }[] = [];
    // What V8 has yet to compile is no part of the figures.
    await measure(whole);
    for (let round = 0; round < ROUNDS; round++)
      runs.push({ all: await measure(whole), pages: await measure(inPages) });
    const of = (which: "all" | "pages", part: keyof Run) => median(runs.map((each) => each[which][part]));
    const inWords = (which: "all" | "pages") =>
      `${(of(which, "ms") / 1_000).toFixed(2)} s, ${of(which, "mib").toFixed(1)} MiB, gateway +${of(which, "moreMib").toFixed(1)} MiB, first byte after ${of(which, "firstByteMs").toFixed(0)} ms`;
    return [
      {
        figure: `all of ${RECORDS.toLocaleString("en")} records`,
        value: inWords("all"),
        peer: `aim: 2 s, gateway +32 MiB; with limit=${LIMIT}: ${inWords("pages")}`,
        ratio: (of("all", "ms") / of("pages", "ms")).toFixed(2),
      },
    ];
  } finally {
    await operator.close();
    await gateway.stop();
  }
}
