import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import type { Inbox } from "./inbox.ts";

/** Largest mail, in bytes; a larger mail is refused, as by a real server. */
const MOST_BYTES = 10 * 1024 * 1024;

export interface MailCatcher {
  /** The address for SMTP_URL. */
  readonly url: string;
  close(): Promise<void>;
}

/** A mail server on a free port of this machine. It delivers every mail to the inbox, for any recipient. */
export async function startMailCatcher(inbox: Inbox): Promise<MailCatcher> {
  const server = new SMTPServer({
    name: "localhost",
    banner: "Selo's development inbox",
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    size: MOST_BYTES,
    maxClients: 20,
    closeTimeout: 1_000,
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      stream.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= MOST_BYTES) chunks.push(chunk);
      });
      stream.once("end", () => {
        if (stream.sizeExceeded || bytes > MOST_BYTES) {
          done(Object.assign(new Error("the mail is too large"), { responseCode: 552 }));
          return;
        }
        try {
          inbox.keep(Buffer.concat(chunks));
          done();
        } catch {
          done(Object.assign(new Error("the mail could not be kept"), { responseCode: 451 }));
        }
      });
    },
  });
  // A client that hangs up in the middle is not our fault.
  server.on("error", () => {});
  await new Promise<void>((listening, failed) => {
    server.server.once("error", failed);
    server.listen(0, "127.0.0.1", listening);
  });
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}
