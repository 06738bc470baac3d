// The operator's own certificate (SEAL_CERTIFICATE_FILE, SEAL_KEY_FILE), made by openssl.
import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ConfigError } from "../../../src/config/config.ts";
import { readConfig } from "../../../src/main/config.ts";
import { startGateway } from "../../../src/main/gateway.ts";
import { createLogger } from "../../../src/main/log.ts";
import { OwnCertificate } from "../../../src/services/signature/envelopes/own-certificate.ts";
import { PdfSealer } from "../../../src/services/signature/envelopes/pdf-sealer.ts";
import { sealerSettings } from "../../../src/services/signature/envelopes/sealer-settings.ts";
import { readKeys } from "../../../src/verifier/keys.ts";
import { loadWatchCertificates } from "../../../workers/signature/watch-certificates.ts";
import { ONE_PAGE, pdf } from "../../adapters/pdf-check/pdf-file.ts";
import { signaturesOf } from "../../adapters/pdf-seal/seal-stage.ts";
import { OpensslStage } from "../../adapters/time-stamp/authority-stage.ts";
import { type Worker, workerOf } from "../../support/compose-mails.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { verifyAll } from "../../support/verify-all.ts";

let stage: OpensslStage;
beforeAll(() => {
  stage = new OpensslStage();
  stage.issue("issuer", "issuer");
  stage.issue("good", "signer", { by: "issuer", key: "rsa:2048" });
  stage.issue("next", "signer", { key: "rsa:2048" });
});
afterAll(() => stage.end());

/** Writes these certificates into one file, and names it. */
function chainOf(...names: readonly string[]): string {
  const file = stage.file(`${names.join("-")}-chain.pem`);
  fs.writeFileSync(file, names.map((name) => stage.read(`${name}.pem`)).join(""));
  return file;
}
const keyOf = (name: string) => stage.file(`${name}.key`);
const reading = (certificate: string, key: string, now = new Date()) =>
  new OwnCertificate({ certificate, key }).readFor(now);

describe("a certificate of your own", () => {
  test("is read with its chain", () => {
    const { certificate, chain, notAfter } = reading(chainOf("good", "issuer"), keyOf("good"));
    expect(
      stage.says({ "read.der": certificate }, ..."x509 -inform DER -in read.der -noout -subject".split(" ")),
    ).toMatch(/CN ?= ?good/);
    expect(chain).toHaveLength(1);
    expect(notAfter).toEqual(new Date("2036-01-01T00:00:00Z"));
  });

  test("that was renewed is noticed, and keeps nothing of the earlier one", () => {
    const files = { certificate: stage.file("renewed.pem"), key: stage.file("renewed.key") };
    const own = new OwnCertificate(files);
    const put = (name: string) => {
      fs.copyFileSync(stage.file(`${name}.pem`), files.certificate);
      fs.copyFileSync(keyOf(name), files.key);
    };
    put("good");
    const first = own.read();
    expect(own.read()).toBe(first);
    const digest = own.digest();
    expect(own.digest()).toBe(digest);
    put("next");
    expect(own.digest()).not.toBe(digest);
    expect(own.read().certificate.equals(first.certificate)).toBe(false);
    expect(own.read().key.equals(first.key)).toBe(false);
  });

  test("is refused with the name of the setting that is wrong", () => {
    stage.issue("expired", "signer", { key: "rsa:2048", valid: ["20200101000000Z", "20210101000000Z"] });
    stage.issue("early", "signer", { key: "rsa:2048", valid: ["20490101000000Z", "20490201000000Z"] });
    stage.issue("old_issuer", "issuer", { valid: ["20200101000000Z", "20210101000000Z"] });
    stage.issue("below_old", "signer", { by: "old_issuer", key: "rsa:2048" });
    stage.issue("short", "signer", { key: "rsa:1024" });
    stage.issue("curve", "signer");
    const locked = "rsa -aes128 -passout pass:secret -in good.key -out locked.key".split(" ");
    stage.makes("locked.key", {}, ...locked);
    stage.makes("pss.key", {}, ..."genpkey -algorithm RSA-PSS -pkeyopt rsa_keygen_bits:2048 -out pss.key".split(" "));
    fs.writeFileSync(stage.file("text.pem"), "text");
    fs.writeFileSync(stage.file("long.pem"), " ".repeat(40_000));
    const broken = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
    fs.writeFileSync(stage.file("broken.pem"), broken);
    const good = chainOf("good", "issuer");
    const refused: readonly (readonly [certificate: string, key: string, because: RegExp])[] = [
      [good, keyOf("next"), /^SEAL_KEY_FILE: the key does not belong to the first certificate/],
      [chainOf("issuer", "good"), keyOf("good"), /^SEAL_CERTIFICATE_FILE: certificate 2 did not issue the one before/],
      [chainOf("good", "root"), keyOf("good"), /^SEAL_CERTIFICATE_FILE: certificate 2 did not issue/],
      [chainOf("expired"), keyOf("expired"), /^SEAL_CERTIFICATE_FILE: the certificate expired at 2021-01-01/],
      [chainOf("early"), keyOf("early"), /^SEAL_CERTIFICATE_FILE: the certificate is valid only from 2049-01-01/],
      [chainOf("below_old", "old_issuer"), keyOf("below_old"), /^SEAL_CERTIFICATE_FILE: certificate 2 expired at/],
      [chainOf("short"), keyOf("short"), /^SEAL_KEY_FILE: the key has 1024 bits; it must have 2048 or more$/],
      [chainOf("curve"), keyOf("curve"), /^SEAL_KEY_FILE: the key is ec; seals are made with RSA$/],
      [good, stage.file("pss.key"), /^SEAL_KEY_FILE: the key is rsa-pss; seals are made with RSA$/],
      [good, stage.file("locked.key"), /^SEAL_KEY_FILE: has no private key in PEM that opens without a password$/],
      [good, stage.file("text.pem"), /^SEAL_KEY_FILE: has no private key/],
      [stage.file("text.pem"), keyOf("good"), /^SEAL_CERTIFICATE_FILE: has no certificate/],
      [stage.file("broken.pem"), keyOf("good"), /^SEAL_CERTIFICATE_FILE: has a certificate that cannot be read$/],
      [stage.file("long.pem"), keyOf("good"), /^SEAL_CERTIFICATE_FILE: has more than 32768 bytes$/],
      [stage.file("none.pem"), keyOf("good"), /^SEAL_CERTIFICATE_FILE: .*none\.pem cannot be read \(ENOENT\)$/],
      [good, stage.file("none.key"), /^SEAL_KEY_FILE: .*none\.key cannot be read \(ENOENT\)$/],
    ];
    for (const [certificate, key, because] of refused) {
      const attempt = () => reading(certificate, key);
      expect(attempt).toThrow(ConfigError);
      expect(attempt).toThrow(because);
    }
  });
});

describe("a deployment with its own certificate", () => {
  let selo: TestGateway;
  let worker: Worker;
  let certificate: string;
  beforeAll(async () => {
    certificate = chainOf("good", "issuer");
    selo = await startTestGateway({ SEAL_CERTIFICATE_FILE: certificate, SEAL_KEY_FILE: keyOf("good") });
    worker = workerOf({ selo });
  });
  afterAll(async () => {
    await worker.end();
    await selo.stop();
  });

  const sealer = () => new PdfSealer(worker.context.jobs, masterKeys, sealerSettings(selo.config));
  const given = { pdf: pdf(ONE_PAGE), at: new Date("2026-11-30T00:00:00Z"), reason: "Envelope", stamps: [] };
  /** Runs with another file in the certificate's place, and puts it back. */
  async function withCertificate(names: readonly string[], work: () => Promise<void>) {
    const before = fs.readFileSync(certificate);
    fs.writeFileSync(certificate, names.map((name) => stage.read(`${name}.pem`)).join(""));
    try {
      await work();
    } finally {
      fs.writeFileSync(certificate, before);
    }
  }

  test("seals live with it, and test with ours", async () => {
    const [live, tried] = [
      await sealer().seal({ ...given, environment: "live" }),
      await sealer().seal({ ...given, environment: "test" }),
    ];
    expect(signaturesOf(live)).toMatchObject([{ signer: "good", isValid: true }]);
    expect(signaturesOf(tried)).toMatchObject([{ signer: expect.stringMatching(/ \(TEST\)$/), isValid: true }]);
    // A report is asked for again, and must be the same.
    expect((await sealer().seal({ ...given, environment: "live" })).equals(live)).toBe(true);
  });

  test("needs no certificate of ours for live", async () => {
    const { admin } = selo.database;
    const shift = (sign: string) =>
      admin.query(
        `update platform.seal_certificates set not_before = not_before ${sign} interval '3 years', not_after = not_after ${sign} interval '3 years'
         where environment = 'live' and status = 'active'`,
      );
    await shift("-");
    await sealer()
      .check()
      .finally(() => shift("+"));
  });

  test("is not ready, and starts no gateway, while the files do not fit", async () => {
    const ready = async () =>
      ((await (await fetch(`${selo.baseUrl}/readyz`)).json()) as { checks: { certificates: string } }).checks
        .certificates;
    await expect.poll(ready).toBe("ok");
    await withCertificate(["next"], async () => {
      await expect.poll(ready).toBe("failed");
      const start = startGateway({
        config: selo.config,
        databaseUrl: selo.database.appUrl,
        masterKeys,
        log: createLogger("silent", process.stdout),
      });
      await expect(start).rejects.toThrow(/^SEAL_KEY_FILE: the key does not belong/);
    });
    await expect.poll(ready).toBe("ok");
  });

  test("publishes it with its chain, and keeps those before, so that a stranger can check what they sealed", async () => {
    const published = async () => {
      const text = await (await fetch(`${selo.baseUrl}/api/v1/public/platform-key`)).text();
      // What the verifier and /trust read of it is the keys alone.
      expect(readKeys(text)).toHaveLength(4);
      return (JSON.parse(text) as { own_seal_certificates: { certificate: string; chain: string[] }[] })
        .own_seal_certificates;
    };
    const watch = () => loadWatchCertificates({ config: selo.config })({}, worker.context);
    expect(await published()).toEqual([]);
    await watch();
    await watch();
    const [first, ...others] = await published();
    expect(others).toEqual([]);
    expect(first).toMatchObject({ not_after: "2036-01-01T00:00:00.000000Z", chain: [expect.any(String)] });
    const sealed = await sealer().seal({ ...given, environment: "live" });
    for (const der of [first?.certificate, ...(first?.chain ?? [])])
      expect(sealed.toString("latin1").toLowerCase()).toContain(Buffer.from(der ?? "", "base64").toString("hex"));

    fs.copyFileSync(keyOf("good"), stage.file("kept.key"));
    fs.copyFileSync(keyOf("next"), keyOf("good"));
    try {
      await withCertificate(["next"], watch);
    } finally {
      fs.copyFileSync(stage.file("kept.key"), keyOf("good"));
    }
    expect(await published()).toMatchObject([first, { chain: [] }]);
    expect((await verifyAll(selo.operator)).faults).toEqual([]);
  });

  test("is told of its end from 30 days before it", async () => {
    const heard = async () => {
      const lines: object[] = [];
      const log = { ...worker.context.log, error: (line: object) => void lines.push(line) } as never;
      await loadWatchCertificates({ config: selo.config })({}, { ...worker.context, log });
      return lines;
    };
    expect(await heard()).toEqual([]);
    stage.issue("ending", "signer", {
      key: "rsa:2048",
      valid: [
        "20260101000000Z",
        `${new Date(Date.now() + 29 * 86_400_000).toISOString().slice(0, 10).replaceAll("-", "")}000000Z`,
      ],
    });
    fs.copyFileSync(keyOf("good"), stage.file("kept.key"));
    fs.copyFileSync(keyOf("ending"), keyOf("good"));
    try {
      await withCertificate(["ending"], async () => {
        expect(await heard()).toMatchObject([
          { alarm: "seal_certificate_expires", environment: "live", certificate: "SEAL_CERTIFICATE_FILE" },
        ]);
      });
    } finally {
      fs.copyFileSync(stage.file("kept.key"), keyOf("good"));
    }
  });
});

test("settings that need each other are refused alone", () => {
  fs.writeFileSync(stage.file("none-here.pem"), "text");
  const [url, ca] = ["http://127.0.0.1:1/tsa", stage.file("root.pem")];
  const refused: readonly (readonly [settings: Readonly<Record<string, string>>, because: RegExp])[] = [
    [{ SEAL_CERTIFICATE_FILE: ca }, /^SEAL_KEY_FILE: must be set with SEAL_CERTIFICATE_FILE$/],
    [{ SEAL_KEY_FILE: ca }, /^SEAL_CERTIFICATE_FILE: must be set with SEAL_KEY_FILE$/],
    [{ TSA_URL: url }, /^TSA_CA_FILE: must be set with TSA_URL$/],
    [{ TSA_CA_FILE: ca }, /^TSA_URL: must be set with TSA_CA_FILE$/],
    [{ TSA_REQUIRED: "1" }, /^TSA_URL: must be set with TSA_REQUIRED$/],
    [
      { TSA_URL: url, TSA_CA_FILE: stage.file("nowhere.pem") },
      /^TSA_CA_FILE: .*nowhere\.pem cannot be used \(ENOENT\)$/,
    ],
    [{ TSA_URL: url, TSA_CA_FILE: stage.file("none-here.pem") }, /cannot be used \(there is no certificate in it\)$/],
  ];
  for (const [settings, because] of refused) {
    const attempt = () => sealerSettings(readConfig(settings));
    expect(attempt).toThrow(ConfigError);
    expect(attempt).toThrow(because);
  }
  expect(sealerSettings(readConfig({}))).toEqual({ own: null, timeStamps: null, stampRoots: [] });
});
