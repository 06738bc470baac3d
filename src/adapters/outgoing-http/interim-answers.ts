import type net from "node:net";

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
/** How an interim answer begins. A question mark stands for a digit. */
const BEGINNING = "HTTP/1.? 1??";
/** Ends HTTP on the connection: nothing that follows it is an answer. */
const SWITCHING_PROTOCOLS = "101";
const NOTHING = Buffer.alloc(0);

/**
 * Takes interim answers (1xx, RFC 9110 §15.2) out of what a server sends before a final answer: undici refuses 100 Continue as a bad response.
 * 101 Switching Protocols stays, because undici refuses it rightly: no request asks for it. With `pipelining: 1` the head of a request begins the
 * time of its answer.
 */
export function passOverInterimAnswers(socket: net.Socket): void {
  const { push, write } = socket;
  const interim = new InterimAnswers();
  socket.write = (...given: unknown[]) => {
    // Undici writes heads of requests as texts, and bodies as bytes: of a long body the answer may begin before the last write.
    if (typeof given[0] === "string") interim.reset();
    return Reflect.apply(write, socket, given);
  };
  // All bytes that Node reads from the network pass through here, even if nobody reads the stream.
  socket.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    const passed = chunk === null ? interim.rest() : interim.without(chunk);
    const wantsMore = passed.length === 0 || push.call(socket, passed, encoding);
    return chunk === null ? push.call(socket, null) : wantsMore;
  };
}

class InterimAnswers {
  /** The present line as far as it looks like the beginning of an interim answer; null once the final answer has begun. */
  #beginning: string | null = "";
  /** Inside of an interim answer: whether its present line is empty so far. */
  #isLineEmpty: boolean | null = null;

  /** A request begins, and its answer is next. */
  reset(): void {
    this.#beginning = "";
    this.#isLineEmpty = null;
  }

  /** The bytes of a chunk without interim answers. Bytes that may begin an interim answer are kept until more bytes come. */
  without(chunk: Buffer): Buffer {
    if (this.#beginning === null) return chunk;
    for (let place = 0; place < chunk.length; place++) {
      const kept: string = this.#beginning;
      this.#read(chunk[place] ?? 0);
      if (this.#beginning === null) return Buffer.concat([Buffer.from(kept, "latin1"), chunk.subarray(place)]);
    }
    return NOTHING;
  }

  /** What is kept, when nothing more comes. */
  rest(): Buffer {
    return Buffer.from(this.#beginning ?? "", "latin1");
  }

  #read(byte: number): void {
    if (this.#isLineEmpty !== null) {
      // An empty line ends an interim answer, which has no body.
      if (byte === LINE_FEED && this.#isLineEmpty) this.reset();
      else if (byte !== CARRIAGE_RETURN) this.#isLineEmpty = byte === LINE_FEED;
      return;
    }
    const before = this.#beginning ?? "";
    // Empty lines before an answer are skipped (RFC 9112 §2.2).
    if (before === "" && (byte === LINE_FEED || byte === CARRIAGE_RETURN)) return;
    const expected = BEGINNING[before.length];
    const isExpected = expected === "?" ? byte >= 48 && byte <= 57 : byte === expected?.charCodeAt(0);
    const line = before + String.fromCharCode(byte);
    this.#beginning = isExpected && !line.endsWith(` ${SWITCHING_PROTOCOLS}`) ? line : null;
    if (isExpected && line.length === BEGINNING.length && this.#beginning !== null) {
      this.#beginning = "";
      this.#isLineEmpty = false;
    }
  }
}
