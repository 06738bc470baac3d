// The programs of src/receiver/README.md, as they stand there, against deliveries good and bad.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { signedHeaders } from "../../src/services/webhooks/deliveries/sign.ts";
import { newWebhookSecret } from "../../src/services/webhooks/endpoints/secret.ts";
import { freePort } from "../support/selo-process.ts";

const FOLDER = path.resolve(import.meta.dirname, "../../src/receiver");
const README = fs.readFileSync(path.join(FOLDER, "README.md"), "utf8");

interface Example {
  /** Of its code block. */
  readonly language: string;
  readonly file: string;
  readonly command: (port: number) => readonly string[];
}

const examples: readonly Example[] = [
  { language: "ts", file: "receiver.ts", command: () => [process.execPath, "receiver.ts"] },
  { language: "python", file: "receiver.py", command: () => ["python3", "receiver.py"] },
  { language: "php", file: "receiver.php", command: (port) => ["php", "-S", `127.0.0.1:${port}`, "receiver.php"] },
];

function isInstalled(command: string): boolean {
  try {
    execFileSync(command, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const secret = newWebhookSecret();
const before = newWebhookSecret();
const now = () => Math.floor(Date.now() / 1_000);
const newId = () => `evt_${randomBytes(16).toString("hex")}`;
const bodyOf = (id: string) => JSON.stringify({ id, type: "proof.registered", data: { label: "Açaí 😀 \u2028" } });

/** A delivery as a worker posts it. */
function delivery(
  id = newId(),
  { by = secret, previous = null, at = now() }: { by?: string; previous?: string | null; at?: number } = {},
) {
  const body = bodyOf(id);
  return { id, body, headers: { ...signedHeaders(by, previous, at, { eventName: id, attempt: 1, body }) } };
}

/** Until a program has said what it works on. */
const SOON = { timeout: 30_000 };

type Headers = Readonly<Record<string, string | string[]>>;

describe.each(examples)("the receiver in $language", ({ language, file, command }) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-receiver-"));
  const program = command(0)[0] ?? "";
  const isRunnable = isInstalled(program);
  let child: ChildProcess | null = null;
  let port = 0;
  let output = "";

  beforeAll(async () => {
    if (!isRunnable) return;
    const [, code = ""] = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(README) ?? [];
    expect(code.split("\n").length).toBeGreaterThan(20);
    fs.writeFileSync(path.join(folder, file), code);
    fs.copyFileSync(path.join(FOLDER, "verify.ts"), path.join(folder, "verify.ts"));
    // Another program may take the port before this one listens: it ends then.
    while (!(await isStarted(await freePort()))) output = "";
  });

  /** Starts the program; false if it ended instead of listening. */
  async function isStarted(free: number): Promise<boolean> {
    port = free;
    const [executable = "", ...args] = command(port);
    const environment = { PATH: process.env["PATH"] ?? "", PORT: String(port), WEBHOOK_SECRET: secret };
    const started = spawn(executable, args, { cwd: folder, env: environment, stdio: ["ignore", "pipe", "pipe"] });
    child = started;
    let hasEnded = false;
    started.once("close", () => {
      hasEnded = true;
    });
    let said = "";
    started.stderr?.on("data", (chunk: Buffer) => {
      said += chunk;
    });
    started.stdout?.on("data", (chunk: Buffer) => {
      output += chunk;
    });
    const isListening = () =>
      post({ body: "", headers: {} }).then(
        (status) => status === 400,
        () => false,
      );
    await vi.waitUntil(async () => hasEnded || (await isListening()), { timeout: 30_000 });
    if (hasEnded) expect(said).toMatch(/EADDRINUSE|[Aa]ddress already in use/);
    return !hasEnded;
  }
  afterAll(() => {
    child?.kill("SIGKILL");
    fs.rmSync(folder, { recursive: true, force: true });
  });

  /** Posts as it is; answers the status. */
  function post({ body, headers }: { readonly body: string | Buffer; readonly headers: Headers }): Promise<number> {
    return new Promise((resolve, reject) => {
      const length = { "content-length": Buffer.byteLength(body) };
      const request = http.request(
        { host: "127.0.0.1", port, method: "POST", path: "/hook", headers: { ...headers, ...length }, agent: false },
        (response) => {
          response.resume().once("end", () => resolve(response.statusCode ?? 0));
        },
      );
      request.once("error", reject);
      request.end(body);
    });
  }

  /** Events it has worked on, or, in PHP, stored for whoever works. */
  function events(): string[] {
    const stored = path.join(folder, "events");
    if (language === "php")
      return fs.existsSync(stored) ? fs.readdirSync(stored).map((name) => name.replace(".json", "")) : [];
    return [...output.matchAll(/^(evt_\S+) proof\.registered$/gm)].map(([, id = ""]) => id);
  }

  const when = (name: string, work: () => Promise<void>) =>
    test(name, (context) => {
      if (!isRunnable) context.skip(`there is no ${program} here`);
      return work();
    });

  when("takes what was signed with its secret, and works on it once, however often it comes", async () => {
    const good = delivery();
    for (let attempt = 0; attempt < 3; attempt++) expect(await post(good)).toBe(204);
    const next = delivery();
    expect(await post(next)).toBe(204);
    await expect
      .poll(
        () =>
          events()
            .filter((id) => [good.id, next.id].includes(id))
            .sort(),
        SOON,
      )
      .toEqual([good.id, next.id].sort());
    if (language === "php")
      expect(fs.readFileSync(path.join(folder, "events", `${good.id}.json`), "utf8")).toBe(good.body);
  });

  when("works once on a delivery that somebody caught and posts again under another X-Webhook-Id", async () => {
    const { id, body, headers } = delivery();
    const other = newId();
    expect(await post({ body, headers })).toBe(204);
    expect(await post({ body, headers: { ...headers, "x-webhook-id": other } })).toBe(204);
    const last = delivery();
    expect(await post(last)).toBe(204);
    await expect.poll(events, SOON).toContain(last.id);
    expect(events().filter((each) => [id, other].includes(each))).toEqual([id]);
  });

  when(
    "takes, during a rotation, what its secret signs beside the new one, and what its new secret signs",
    async () => {
      expect(await post(delivery(newId(), { by: newWebhookSecret(), previous: secret }))).toBe(204);
      expect(await post(delivery(newId(), { by: secret, previous: before }))).toBe(204);
      expect(await post(delivery(newId(), { by: before, previous: newWebhookSecret() }))).toBe(400);
    },
  );

  when("takes a delivery up to 300 seconds away, and none beyond, in either direction", async () => {
    // A minute of room where time that passes would change the answer.
    for (const seconds of [-240, 290]) expect(await post(delivery(newId(), { at: now() + seconds }))).toBe(204);
    for (const seconds of [-310, 360, -86_400, 86_400])
      expect(await post(delivery(newId(), { at: now() + seconds })), String(seconds)).toBe(400);
  });

  when(
    "refuses what is tampered with, unsigned, signed by others or oddly written, and works on none of it",
    async () => {
      const { id, body, headers } = delivery();
      const signature = headers["x-webhook-signature"] ?? "";
      const changed = (some: Record<string, string | string[] | undefined>): Headers =>
        Object.fromEntries(
          Object.entries({ ...headers, ...some }).filter(([, value]) => value !== undefined),
        ) as Headers;
      const bad: Record<string, { body: string | Buffer; headers: Headers }> = {
        "another body": { body: body.replace("proof", "Proof"), headers },
        "a byte more": { body: `${body} `, headers },
        "no body": { body: "", headers },
        "another time": { body, headers: changed({ "x-webhook-timestamp": String(now() + 1) }) },
        "no signature": { body, headers: changed({ "x-webhook-signature": undefined }) },
        "no time": { body, headers: changed({ "x-webhook-timestamp": undefined }) },
        "another secret": { ...delivery(id, { by: newWebhookSecret() }) },
        "two signatures in one": {
          body,
          headers: changed({ "x-webhook-signature": `v1=${"0".repeat(64)},${signature}` }),
        },
        "two headers": { body, headers: changed({ "x-webhook-signature": [`v1=${"0".repeat(64)}`, signature] }) },
        "another version": { body, headers: changed({ "x-webhook-signature": signature.replace("v1=", "v0=") }) },
        "no version": { body, headers: changed({ "x-webhook-signature": signature.slice(3) }) },
        "upper case": { body, headers: changed({ "x-webhook-signature": `v1=${signature.slice(3).toUpperCase()}` }) },
        "half of it": { body, headers: changed({ "x-webhook-signature": signature.slice(0, 35) }) },
        "bytes beyond ASCII": { body, headers: changed({ "x-webhook-signature": "v1=\u00e9" }) },
      };
      // Over the same text, signed by us: only the way it is written is wrong.
      for (const odd of ["1e9", "+1", "-1", "0x10", "1.5", "9".repeat(13), "٣"].map((text) =>
        Buffer.from(text).toString("latin1"),
      ))
        bad[`the time ${odd}`] = {
          body,
          headers: {
            ...changed({ ...signedHeaders(secret, null, odd as never, { eventName: id, attempt: 1, body }) }),
          },
        };
      for (const [name, delivered] of Object.entries(bad))
        expect({ name, status: await post(delivered) }).toEqual({ name, status: 400 });
      // It is still there, and has worked on none.
      const last = delivery();
      expect(await post(last)).toBe(204);
      await expect.poll(events, SOON).toContain(last.id);
      expect(events()).not.toContain(id);
    },
  );

  when("refuses what is larger than it would keep", async () => {
    const status = await post({ body: Buffer.alloc(1_048_577), headers: delivery().headers }).catch(
      (error: NodeJS.ErrnoException) => error.code,
    );
    // The connection may be closed before all of it was read.
    expect([413, "ECONNRESET", "EPIPE"]).toContain(status);
    expect(await post(delivery())).toBe(204);
  });
});
