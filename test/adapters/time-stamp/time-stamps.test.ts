// Time stamps of openssl behind HTTP, and answers that are none: issue "The dossier, and signers with their own certificate" §2.
import { createHash, randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { der } from "../../../src/adapters/time-stamp/der.ts";
import { MOST_TOKEN_BYTES, TimeStampAuthority } from "../../../src/adapters/time-stamp/time-stamp-authority.ts";
import { TimeStampFailed } from "../../../src/adapters/time-stamp/time-stamp-failed.ts";
import { type Answers, OpensslStage, serveAuthority } from "./authority-stage.ts";

let stage: OpensslStage;
beforeAll(() => {
  stage = new OpensslStage();
  stage.issue("authority", "authority");
});
afterAll(() => stage.end());

const DATA = Buffer.from("the value of a signature");

/** Asks an authority that answers so. */
async function stamp(
  answers: Answers,
  { roots = "root", ...options }: { roots?: string; wholeMs?: number; now?: () => Date; login?: string } = {},
  signal?: AbortSignal,
): Promise<Buffer> {
  const { login = "", ...limits } = options;
  const server = await serveAuthority(answers);
  const url = server.url.replace("://", `://${login}`);
  const authority = new TimeStampAuthority({ url, roots: stage.read(`${roots}.pem`).toString(), ...limits });
  try {
    return await authority.stamp(DATA, signal);
  } finally {
    await authority.close();
    await server.end();
  }
}

const opensslVerifies = (token: Buffer, root = "root") =>
  stage.says(
    { "token.tst": token, stamped: DATA },
    ..."ts -verify -data stamped -token_in -in token.tst -CAfile".split(" "),
    `${root}.pem`,
  );

describe("a time stamp of openssl", () => {
  test("is taken as it came, and openssl verifies it", async () => {
    let asked: Buffer = Buffer.alloc(0);
    const token = await stamp((query) => {
      asked = query;
      return stage.reply(query);
    });
    expect(opensslVerifies(token)).toContain("Verification: OK");
    const said = stage.says({ "asked.tsq": asked }, ..."ts -query -in asked.tsq -text".split(" "));
    expect(said).toContain("Hash Algorithm: sha256");
    expect(said).toContain("Certificate required: yes");
    expect(said).toMatch(/Nonce: 0x[4-7][0-9A-F]{31}\b/);
    // The authority sees the digest alone.
    expect(asked.includes(createHash("sha256").update(DATA).digest())).toBe(true);
    expect(asked.includes(DATA)).toBe(false);
  });

  test("of an authority below an issuer brings the issuer", async () => {
    stage.issue("issuer", "issuer");
    stage.issue("below", "authority", { by: "issuer", key: "rsa:2048" });
    const token = await stamp((query) => stage.reply(query, "below", ["issuer"]));
    expect(opensslVerifies(token)).toContain("Verification: OK");
    await expect(stamp((query) => stage.reply(query, "below"))).rejects.toThrow("not trusted");
  });

  test("is asked with a name and a password where the address has them", async () => {
    const asked: (string | undefined)[] = [];
    await stamp(
      (query, _, { headers, url }) => {
        asked.push(headers.authorization, headers["content-type"], url);
        return stage.reply(query);
      },
      { login: "selo:a%20b@" },
    );
    const basic = `Basic ${Buffer.from("selo:a b").toString("base64")}`;
    expect(asked).toEqual([basic, "application/timestamp-query", "/tsa"]);
  });
});

describe("refused is", () => {
  const refused: readonly (readonly [what: string, answers: Answers, because: RegExp])[] = [
    ["another nonce", () => stage.reply(stage.queryFor(DATA)), /another nonce/],
    ["another imprint", () => stage.reply(stage.queryFor(randomBytes(9))), /another imprint/],
    ["a refusal", () => der(0x30, der(0x30, der(0x02, Buffer.from([2])))), /status 2$/],
    ["a waiting authority", (query) => withStatus(stage.reply(query), 3), /status 3$/],
    ["an answer without a token", () => der(0x30, der(0x30, der(0x02, Buffer.from([0])))), /has no token/],
    ["a certificate without purposes", (query) => stage.replyBy(query, "no_purpose"), /not for time stamping alone/],
    ["a purpose that is not critical", (query) => stage.replyBy(query, "not_critical"), /not for time stamping alone/],
    [
      "a certificate with more purposes",
      (query) => stage.replyBy(query, "more_purposes"),
      /not for time stamping alone/,
    ],
    ["an expired certificate", (query) => stage.reply(query, "expired"), /not trusted: .*expired/],
    ["a certificate that is not valid yet", (query) => stage.reply(query, "early"), /not trusted: .*not yet valid/],
    ["an authority below another root", (query) => stage.reply(query, "stranger", ["other_root"]), /not trusted/],
    ["an authority below an authority", (query) => stage.replyBy(query, "below_leaf"), /not trusted/],
    [
      "a path that is longer than its issuer allows",
      (query) => stage.reply(query, "deep", ["deep_issuer", "issuer"]),
      /path is too long/,
    ],
    ["a signature with SHA-1", (query) => stage.replyBy(query, "authority", { digest: "sha1" }), /of a kind/],
    ["a token that names no certificate", (query) => stage.replyBy(query, "authority", { names: [] }), /names another/],
    [
      "more certificates than are looked at",
      (query) => stage.reply(query, "authority", Array(8).fill("root")),
      /more than 8/,
    ],
    ["a changed signature", (query) => changed(stage.reply(query)), /signature is not valid/],
    ["text", () => Buffer.from("<html>sign in</html>"), /cannot be read/],
    ["nothing", () => Buffer.alloc(0), /cannot be read/],
    [
      "an answer with more behind it",
      (query) => Buffer.concat([stage.reply(query), Buffer.from([0])]),
      /cannot be read/,
    ],
    ["ASN.1 in ASN.1 without end", () => Buffer.alloc(MOST_TOKEN_BYTES, "3080", "hex"), /cannot be read/],
    ["another HTTP status", but((response) => response.writeHead(503).end()), /answered 503/],
    ["a redirect", but((response) => response.writeHead(302, { location: "/other" }).end()), /answered 302/],
    ["a closed connection", but((response) => response.destroy()), /cannot be asked: UND_ERR_SOCKET/],
    ["a huge answer", () => Buffer.alloc(MOST_TOKEN_BYTES + 1), /longer than 16384 bytes/],
    [
      "a huge head",
      but((response) => response.writeHead(200, { "x-long": "x".repeat(70_000) }).end()),
      /cannot be asked/,
    ],
  ];

  beforeAll(() => {
    for (const kind of ["no_purpose", "not_critical", "more_purposes"] as const) stage.issue(kind, kind);
    stage.issue("expired", "authority", { valid: ["20200101000000Z", "20210101000000Z"] });
    stage.issue("early", "authority", { valid: ["20500101000000Z", "20510101000000Z"] });
    stage.makeRoot("other_root");
    stage.issue("stranger", "authority", { by: "other_root" });
    stage.issue("below_leaf", "authority", { by: "authority" });
    stage.issue("issuer", "issuer");
    stage.issue("deep_issuer", "issuer", { by: "issuer" });
    stage.issue("deep", "authority", { by: "deep_issuer" });
  });

  test.each(refused)("%s", async (_, answers, because) => {
    const outcome = await stamp(answers).catch((error: unknown) => error);
    expect(outcome).toBeInstanceOf(TimeStampFailed);
    expect(String(outcome)).toMatch(because);
  });

  test("an instant far from this machine's", async () => {
    const apart = (minutes: number) => () => new Date(Date.now() + minutes * 60_000);
    for (const minutes of [-6, 6])
      await expect(stamp((query) => stage.reply(query), { now: apart(minutes) })).rejects.toThrow("this machine's");
    await stamp((query) => stage.reply(query), { now: apart(4) });
  });

  test("a silent authority, and one that answers byte by byte", async () => {
    await expect(stamp(() => null, { wholeMs: 50 })).rejects.toThrow("did not answer in 0.05 seconds");
    const slow: Answers = (_, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write("0"), 5);
      response.once("close", () => clearInterval(drip));
      return null;
    };
    await expect(stamp(slow, { wholeMs: 100 })).rejects.toThrow("did not answer in 0.1 seconds");
  });

  test("nothing by a worker that stops: its own reason is thrown", async () => {
    const stopping = new AbortController();
    const asked = stamp(
      () => {
        stopping.abort(new Error("the worker stops"));
        return null;
      },
      {},
      stopping.signal,
    );
    await expect(asked).rejects.toThrow("the worker stops");
  });
});

test("roots that are none are refused at once", () => {
  for (const roots of ["", "text"])
    expect(() => new TimeStampAuthority({ url: "http://127.0.0.1:1/", roots })).toThrow("no certificate in it");
});

/** Answers in another way than by a body. */
const but =
  (answers: (response: ServerResponse) => unknown): Answers =>
  (_, response) => {
    answers(response);
    return null;
  };

/** The answer with another status. */
function withStatus(answer: Buffer, status: number): Buffer {
  const at = answer.indexOf(Buffer.from("3003020100", "hex"));
  const made = Buffer.from(answer);
  made[at + 4] = status;
  return made;
}

/** The last byte of an ECDSA signature is part of its second number. */
function changed(answer: Buffer): Buffer {
  const made = Buffer.from(answer);
  made[made.length - 1] = (made.at(-1) ?? 0) ^ 1;
  return made;
}
