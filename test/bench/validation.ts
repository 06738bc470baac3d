import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { holder, signed } from "../adapters/pdf-signatures/signed-pdf.ts";
import { startBenchGateway } from "./bench-gateway.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";
import { contract } from "./sealing-stage.ts";

const BYTES = Number(process.env["BENCH_DOCUMENT_BYTES"] ?? 5_000_000);
const FILES = Number(process.env["BENCH_FILES"] ?? 10);
const SIGNATURES = 10;
/** Objects of the contract have lower numbers. */
const FIRST = 900_000;

/**
 * A PDF of 5 MB with ten signatures, validated over HTTP, beside `pdfsig -nocert` of the same file, which judges no certificate either: in turns, one after the other.
 */
export async function validation(): Promise<Measurement[]> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-bench-"));
  const gateway = await startBenchGateway();
  try {
    const file = withSignatures();
    const place = path.join(folder, "signed.pdf");
    fs.writeFileSync(place, file);
    const { test: token } = gateway.organization;
    const times: { readonly ours: number; readonly theirs: number }[] = [];
    for (let count = 0; count <= ROUNDS * FILES; count++) {
      const ours = await timed(() => validated(gateway.url, token, file));
      const theirs = await timed(() => shown(place));
      // The first ones warm up.
      if (count > 0) times.push({ ours, theirs });
    }
    const ms = (value: number) => `${value.toFixed(0)} ms`;
    const of = (name: "ours" | "theirs") => times.map((each) => each[name]);
    return [
      {
        figure: `POST /signatures/validate-file of ${(file.length / 1e6).toFixed(1)} MB with ${SIGNATURES} signatures (aim 0.5)`,
        value: ms(median(of("ours"))),
        peer: `pdfsig -nocert ${ms(median(of("theirs")))}`,
        ratio: median(times.map(({ ours, theirs }) => theirs / ours)).toFixed(2),
        p50: ms(median(of("ours"))),
        p99: ms(of("ours").toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)] ?? Number.NaN),
      },
    ];
  } finally {
    await gateway.stop();
    fs.rmSync(folder, { recursive: true });
  }
}

/** Ten persons, one after the other. */
function withSignatures(): Buffer {
  let file = contract(10, BYTES);
  let fields = "";
  for (let count = 0; count < SIGNATURES; count++) {
    const numbers = [FIRST + 2 * count, FIRST + 2 * count + 1] as const;
    file = signed(holder(), { before: file, numbers, fields });
    fields += `${numbers[0]} 0 R `;
  }
  return file;
}

async function validated(url: string, token: string, file: Buffer): Promise<void> {
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(file)], { type: "application/pdf" }), "signed.pdf");
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/api/v1/signatures/validate-file`, { method: "POST", headers, body: form });
  const text = await answer.text();
  const sound = text.match(/"integrity":"valid"/g)?.length;
  if (answer.status !== 200 || sound !== SIGNATURES) throw new Error(`validate-file: ${answer.status} ${text}`);
}

async function shown(place: string): Promise<void> {
  const { stdout } = spawnSync("pdfsig", ["-nocert", place]);
  const sound = stdout.toString().match(/Signature is Valid/g)?.length;
  if (sound !== SIGNATURES) throw new Error(`pdfsig: ${stdout}`);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
