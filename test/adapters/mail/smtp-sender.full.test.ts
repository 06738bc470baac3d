// A server that says nothing has as long as it has by default.
import { expect, test } from "vitest";
import { SmtpSender } from "../../../src/adapters/mail/smtp-sender.ts";
import { startSilentServer } from "../../support/mail-servers.ts";

test("a server that says nothing is given up after 5 seconds, and tried again", async () => {
  const server = await startSilentServer();
  const begun = performance.now();
  const sender = new SmtpSender({ url: server.url, from: { name: "Selo", address: "selo@selo.example" }, dkim: null });
  const mail = { messageId: "a@selo.example", date: new Date(), recipient: "ana@example.org", language: "en" };
  const sending = sender.send({
    ...mail,
    senderName: null,
    replyTo: null,
    subject: "Hello",
    text: "Hello",
    html: "<p>Hello</p>",
    images: [],
  });
  await expect(sending).rejects.toMatchObject({ permanent: false });
  expect(performance.now() - begun).toBeGreaterThan(4_500);
  await server.close();
});
