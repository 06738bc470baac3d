// The adapter against servers that are slow, silent, hostile or demand something.
import { execFileSync } from "node:child_process";
import { createHash, createVerify, generateKeyPairSync } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { SMTPServer } from "smtp-server";
import { afterEach, describe, expect, test } from "vitest";
import type { MailMessage } from "../../../src/adapters/mail/mail-sender.ts";
import { SmtpSender } from "../../../src/adapters/mail/smtp-sender.ts";
import { readConfig } from "../../../src/main/config.ts";
import { createLogger } from "../../../src/main/log.ts";
import { services } from "../../../src/services/services.ts";
import { startWorker } from "../../../workers/main.ts";
import { createTestDatabase } from "../../support/database.ts";
import { startMailServer, startSilentServer } from "../../support/mail-servers.ts";
import { masterKeys } from "../../support/master-keys.ts";

const FROM = { name: "Selo, São Paulo", address: "selo@selo.example" };
const MESSAGE: MailMessage = {
  messageId: "0197a0c0-0000-7000-8000-000000000000@selo.example",
  date: new Date("2026-11-21T12:00:00Z"),
  recipient: "ana@example.org",
  senderName: null,
  replyTo: null,
  language: "pt-BR",
  subject: "Olá",
  text: "Olá, Ana.  \n.\n\n.ponto\n\n",
  html: '<p><img src="cid:mark@selo" alt="">Olá, Ana.</p>',
  images: [{ cid: "mark@selo", name: "selo.png", type: "image/png", content: Buffer.from("iVBORw0KGgo=", "base64") }],
};

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function opened<Server extends { close(): Promise<void> }>(server: Server): Server {
  closing.push(() => server.close());
  return server;
}

test("what was given is what arrives, dots and all", async () => {
  const server = opened(await startMailServer());
  await new SmtpSender({ url: server.url, from: FROM, dkim: null }).send(MESSAGE);
  const [mail] = await server.mails();
  expect(mail).toMatchObject({
    messageId: `<${MESSAGE.messageId}>`,
    from: FROM,
    to: [{ name: "", address: "ana@example.org" }],
    subject: "Olá",
    date: "2026-11-21T12:00:00.000Z",
  });
  expect(mail?.text?.trimEnd()).toBe(MESSAGE.text.trimEnd());
  expect(mail?.html).toContain('<img src="cid:mark@selo" alt="">Olá, Ana.');
  expect(mail?.attachments).toMatchObject([
    { contentId: "<mark@selo>", mimeType: "image/png", disposition: "inline", related: true },
  ]);
  expect(Buffer.from(mail?.attachments[0]?.content as ArrayBuffer)).toEqual(MESSAGE.images[0]?.content);
});

test("an image inside the mail is inline, and named: programs that list it show no made-up name", async () => {
  const server = opened(await startMailServer());
  await new SmtpSender({ url: server.url, from: FROM, dkim: null }).send(MESSAGE);
  const [image = ""] = /^Content-Type: image\/png.*?(?=\r\n\r\n)/ms.exec(String(server.raw[0])) ?? [];
  expect(image.split("\r\n").sort()).toEqual([
    "Content-Disposition: inline; filename=selo.png",
    "Content-ID: <mark@selo>",
    "Content-Transfer-Encoding: base64",
    "Content-Type: image/png; name=selo.png",
  ]);
});

describe("header injection: a line break", () => {
  const injected = "x\r\nBcc: thief@example.net\r\n\r\nbody";
  test.each([
    ["in the subject", { subject: injected }],
    ["in the Message-ID", { messageId: injected }],
    ["in the language", { language: injected }],
    ["in the name of the sender", { senderName: injected }],
  ])("%s begins no header and no body", async (_, change) => {
    const server = opened(await startMailServer());
    await new SmtpSender({ url: server.url, from: FROM, dkim: null }).send({ ...MESSAGE, ...change });
    expect((await server.mails())[0]?.headers.map(({ key }) => key)).not.toContain("bcc");
    expect((await server.mails())[0]?.text).toContain("Olá, Ana.");
    const [head = ""] = String(server.raw[0]).split("\r\n\r\n");
    expect(head).not.toMatch(/^(Bcc|body)/m);
  });

  test.each([
    "a@b.example\r\nRCPT TO:<thief@example.net>",
    "a@b.example\n",
    "a@b.example, c@d.example",
    "a b@c.example",
    "",
  ])("in the recipient, and whatever else is not one mailbox (%j), is refused for good", async (recipient) => {
    const server = opened(await startMailServer());
    const sending = new SmtpSender({ url: server.url, from: FROM, dkim: null }).send({ ...MESSAGE, recipient });
    await expect(sending).rejects.toMatchObject({ name: "MailError", permanent: true });
    expect(server.raw).toEqual([]);
  });

  test.each(["a@b.example\r\nBcc: thief@example.net", "a@b.example, c@d.example", "Ana <a@b.example>", ""])(
    "in Reply-To, and whatever else is not one mailbox (%j), is refused for good",
    async (replyTo) => {
      const server = opened(await startMailServer());
      const sending = new SmtpSender({ url: server.url, from: FROM, dkim: null }).send({ ...MESSAGE, replyTo });
      await expect(sending).rejects.toMatchObject({ name: "MailError", permanent: true });
      expect(server.raw).toEqual([]);
    },
  );
});

test.each([
  "Imobiliária Horizonte, via Selo",
  'O "Bom" Contrato, via Selo',
  "Ana <thief@example.net>, via Selo",
  "Sá, Paz & Cia; (Brasil): [1] \\, via Selo",
  "東京商事, via Selo",
  "=?utf-8?q?thief=40example.net?=, via Selo",
  `${"Companhia de Nomes Compridos ".repeat(8)}, via Selo`,
])(
  "the organization %j is the name of the one sender, and replies go to its contact: another program reads it so",
  async (senderName) => {
    const server = opened(await startMailServer());
    const message = {
      ...MESSAGE,
      senderName,
      subject: `Lease for ${senderName}`,
      replyTo: "contato@horizonte.example",
    };
    await new SmtpSender({ url: server.url, from: FROM, dkim: null }).send(message);
    // Python's newer reader sets a blank between two encoded words, against RFC 2047, 6.2. The older one reads addresses first and decodes then.
    const program = `
import email, email.utils, json, sys
from email.header import decode_header, make_header
mail = email.message_from_bytes(sys.stdin.buffer.read())
unfolded = lambda name: "".join(mail[name].splitlines())
text = lambda written: str(make_header(decode_header(written)))
read = lambda name: [[text(shown), address] for shown, address in email.utils.getaddresses([unfolded(name)])]
print(json.dumps({"from": read("from"), "reply-to": read("reply-to"), "subject": text(unfolded("subject"))}))`;
    const read = JSON.parse(execFileSync("python3", ["-c", program], { input: server.raw[0] }).toString());
    // A blank keeps what looks encoded from being decoded.
    const literal = (text: string) => text.replaceAll("=?", "= ?");
    expect(read).toEqual({
      from: [[literal(senderName), FROM.address]],
      "reply-to": [["", "contato@horizonte.example"]],
      subject: literal(`Lease for ${senderName}`),
    });
    const [head = ""] = String(server.raw[0]).split("\r\n\r\n");
    // RFC 5322, 2.1.1: whatever a name has, headers are ASCII, and no line is too long.
    expect(head).toMatch(/^[\x20-\x7e\r\n]*$/);
    for (const line of head.split("\r\n")) expect(line.length).toBeLessThanOrEqual(998);
  },
);

test("without a name and an address for replies, the configured sender alone is named", async () => {
  const server = opened(await startMailServer());
  await new SmtpSender({ url: server.url, from: FROM, dkim: null }).send(MESSAGE);
  const [head = ""] = String(server.raw[0]).split("\r\n\r\n");
  expect(head).not.toMatch(/^Reply-To/im);
});

describe("a server", () => {
  test("that is not there is worth another try", async () => {
    const server = await startSilentServer();
    await server.close();
    const sending = new SmtpSender({ url: server.url, from: FROM, dkim: null }).send(MESSAGE);
    await expect(sending).rejects.toMatchObject({ permanent: false, message: expect.stringMatching(/ESOCKET|ECONN/) });
  });

  test("that says nothing is given up, and tried again", async () => {
    const server = opened(await startSilentServer());
    // By default it has five seconds: smtp-sender.full.test.ts.
    const sending = new SmtpSender({ url: server.url, from: FROM, dkim: null }, 100).send(MESSAGE);
    await expect(sending).rejects.toMatchObject({ permanent: false });
  });

  test.each([
    [550, true],
    [554, true],
    [530, false], // it wants credentials: that is about us
    [421, false],
    [452, false],
  ])("that answers the recipient with %i is asked again: %s is permanent", async (code, permanent) => {
    const server = opened(await startMailServer());
    server.answer = { code, text: "<ana@example.org> says no" };
    const sending = new SmtpSender({ url: server.url, from: FROM, dkim: null }).send(MESSAGE);
    const error = await sending.then(
      () => null,
      (thrown: Error) => thrown,
    );
    expect(error).toMatchObject({ permanent, message: expect.stringMatching(`^${code} to (RCPT TO|CONN)$`) });
    expect(`${error?.stack} ${JSON.stringify(error)} ${String(error?.cause)}`).not.toContain("ana@");
  });

  test("that refuses the credentials is asked again: they can be mended", async () => {
    const server = new SMTPServer({
      disabledCommands: ["STARTTLS"],
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(Object.assign(new Error("no"), { responseCode: 535 })),
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    closing.push(() => new Promise((closed) => server.close(() => closed())));
    const { port } = server.server.address() as { port: number };
    const sender = new SmtpSender({ url: `smtp://selo:secret-word@127.0.0.1:${port}`, from: FROM, dkim: null });
    const error = await sender.send(MESSAGE).then(
      () => null,
      (thrown: Error) => thrown,
    );
    expect(error).toMatchObject({ permanent: false, message: expect.stringMatching(/^535/) });
    expect(String(error?.stack)).not.toContain("secret-word");
  });

  test("elsewhere that offers no TLS never sees the credentials", async () => {
    // 127.0.0.2 is this machine as well, but not by a name the sender trusts.
    const seen: string[] = [];
    const server = new SMTPServer({
      disabledCommands: ["STARTTLS"],
      allowInsecureAuth: true,
      onAuth: (auth, _session, done) => {
        seen.push(auth.password ?? "");
        done(null, { user: "selo" });
      },
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.2", listening));
    closing.push(() => new Promise((closed) => server.close(() => closed())));
    const { port } = server.server.address() as { port: number };
    const sender = new SmtpSender({ url: `smtp://selo:secret-word@127.0.0.2:${port}`, from: FROM, dkim: null });
    await expect(sender.send(MESSAGE)).rejects.toMatchObject({ permanent: false });
    expect(seen).toEqual([]);
  });
});

describe("DKIM", () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }) as string;

  test("signs body and headers so that whoever has the public key can check them (RFC 6376)", async () => {
    const server = opened(await startMailServer());
    const dkim = { domain: "selo.example", selector: "s1", privateKey: pem };
    await new SmtpSender({ url: server.url, from: FROM, dkim }).send(MESSAGE);
    const raw = String(server.raw[0]);
    const [head = "", ...rest] = raw.split("\r\n\r\n");
    const fields = head.split(/\r\n(?![ \t])/);
    const signature = fields.find((field) => /^DKIM-Signature:/i.test(field)) ?? "";
    const tags = Object.fromEntries(
      signature
        .replace(/^[^:]+:/, "")
        .split(";")
        .map((tag) => tag.trim().split(/=(.*)/s))
        .map(([name, value = ""]) => [name, value.replace(/\s+/g, "")]),
    );
    expect(tags).toMatchObject({ v: "1", a: "rsa-sha256", c: "relaxed/relaxed", d: "selo.example", s: "s1" });
    const lines = rest
      .join("\r\n\r\n")
      .split("\r\n")
      .map((line) => line.replace(/[ \t]+/g, " ").replace(/ $/, ""));
    const body = `${lines.join("\r\n").replace(/(\r\n)+$/, "")}\r\n`;
    expect(createHash("sha256").update(body).digest("base64")).toBe(tags["bh"]);
    const relaxed = (field: string) => {
      const [name = "", value = ""] = field.split(/:(.*)/s);
      return `${name.toLowerCase().trim()}:${value
        .replace(/\r\n/g, "")
        .replace(/[ \t]+/g, " ")
        .trim()}`;
    };
    const signed: string[] = String(tags["h"])
      .split(":")
      .map((name) => name.toLowerCase());
    for (const name of ["from", "to", "subject", "date", "message-id"]) expect(signed).toContain(name);
    const signedFields = signed.flatMap((name) => fields.filter((field) => field.toLowerCase().startsWith(`${name}:`)));
    const unsigned = relaxed(signature).replace(/\bb=[^;]*$/, "b=");
    const verifier = createVerify("sha256").update([...signedFields.map(relaxed), unsigned].join("\r\n"));
    expect(verifier.verify(publicKey, String(tags["b"]), "base64")).toBe(true);
  });

  test("a key file that holds no private key, or is not there, keeps the worker from starting, and is named", async () => {
    const database = await createTestDatabase();
    closing.push(() => database.drop());
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-dkim-"));
    const file = path.join(folder, "key.pem");
    fs.writeFileSync(file, "not a key");
    for (const keyFile of [file, path.join(folder, "missing.pem")]) {
      const config = readConfig({
        SMTP_URL: "smtp://127.0.0.1:1",
        MAIL_DKIM_DOMAIN: "selo.example",
        MAIL_DKIM_SELECTOR: "s1",
        MAIL_DKIM_KEY_FILE: keyFile,
      });
      const starting = startWorker({
        services,
        config,
        databaseUrl: database.workerUrl,
        masterKeys,
        log: createLogger("silent"),
      });
      await expect(starting).rejects.toThrow(/^MAIL_DKIM_KEY_FILE: /);
    }
    fs.rmSync(folder, { recursive: true });
  });
});

test("another program reads the mail as we meant it: text first, then HTML with its image", async () => {
  const server = opened(await startMailServer());
  await new SmtpSender({ url: server.url, from: FROM, dkim: null }).send(MESSAGE);
  const program = `
import email, email.policy, json, sys
mail = email.message_from_bytes(sys.stdin.buffer.read(), policy=email.policy.default)
print(json.dumps({"type": mail.get_content_type(), "subject": mail["subject"], "from": str(mail["from"]),
  "parts": [part.get_content_type() for part in mail.iter_parts()], "defects": len(mail.defects),
  "related": [[part.get_content_type(), part["content-id"], part.get_content_disposition()] for part in list(mail.iter_parts())[1].iter_parts()]}))`;
  const read = JSON.parse(execFileSync("python3", ["-c", program], { input: server.raw[0] }).toString());
  expect(read).toEqual({
    type: "multipart/alternative",
    subject: "Olá",
    from: '"Selo, São Paulo" <selo@selo.example>',
    parts: ["text/plain", "multipart/related"],
    related: [
      ["text/html", null, null],
      ["image/png", "<mark@selo>", "inline"],
    ],
    defects: 0,
  });
});
