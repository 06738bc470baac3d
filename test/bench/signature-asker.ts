import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import type { DnsServer } from "../../src/adapters/resolver/exchange.ts";
import { type Question, queryOf, type Reply, readReply, WHOLE_MESSAGES } from "../../src/adapters/resolver/message.ts";
import { askingForSignatures } from "../support/asking-for-signatures.ts";

const PATIENCE_MS = 2_000;

/** Asks a server for records and signatures over one socket, with the bytes of `startAsking`: the packet cache knows answers by their questions. */
export class SignatureAsker {
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setMaxListeners(0);
  }

  static async connect({ host, port }: DnsServer): Promise<SignatureAsker> {
    const socket = createSocket("udp4");
    socket.connect(port, host);
    await once(socket, "connect");
    return new SignatureAsker(socket);
  }

  /** Asks once more if no answer comes within two seconds: datagrams may be lost. Fails then. */
  ask(question: Question): Promise<Reply> {
    return this.#once(question).catch(() => this.#once(question));
  }

  #once(question: Question): Promise<Reply> {
    const query = askingForSignatures(queryOf(question, { recursive: false, edns: true }));
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(late);
        this.#socket.off("message", read);
      };
      const late = setTimeout(() => {
        end();
        reject(new Error(`no answer to ${question.name} ${question.type}`));
      }, PATIENCE_MS);
      const read = (bytes: Buffer) => {
        const reply = readReply(query, bytes, WHOLE_MESSAGES);
        if (reply === null) return;
        end();
        resolve(reply);
      };
      this.#socket.on("message", read);
      this.#socket.send(query.bytes);
    });
  }

  close(): void {
    this.#socket.close();
  }
}
