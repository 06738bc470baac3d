// Mail servers for tests: real SMTP, on this machine, that answer as a test wants.
import net from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

export interface CatchingServer {
  readonly url: string;
  /** Every mail it took, as it came. */
  readonly raw: Buffer[];
  mails(): Promise<Email[]>;
  /** What it says to the next recipients (null takes them). */
  answer: { readonly code: number; readonly text: string } | null;
  close(): Promise<void>;
}

/** Takes every mail, or refuses the recipient as `answer` says. */
export async function startMailServer(port = 0): Promise<CatchingServer> {
  const raw: Buffer[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    closeTimeout: 500,
    onRcptTo: (_address, _session, done) => {
      const { answer } = catching;
      done(answer === null ? null : Object.assign(new Error(answer.text), { responseCode: answer.code }));
    },
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.once("end", () => {
        raw.push(Buffer.concat(chunks));
        done();
      });
    },
  });
  server.on("error", () => {});
  await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));
  const catching: CatchingServer = {
    url: `smtp://127.0.0.1:${(server.server.address() as net.AddressInfo).port}`,
    raw,
    mails: () => Promise.all(raw.map((mail) => PostalMime.parse(mail))),
    answer: null,
    close: () => new Promise((closed) => server.close(() => closed())),
  };
  return catching;
}

/** Accepts connections, and says what it is told to (nothing at all, by default) before it falls silent. */
export async function startSilentServer(says = ""): Promise<{ readonly url: string; close(): Promise<void> }> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    if (says !== "") socket.write(says);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `smtp://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
