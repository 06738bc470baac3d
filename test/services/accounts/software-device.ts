// A device that makes passkeys and signs with them, as WebAuthn Level 2 says, in the place of a browser and its device.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest();
const base64url = (data: string | Buffer) => Buffer.from(data).toString("base64url");

/** CBOR (RFC 8949) of what these answers hold: whole numbers, texts, bytes and maps. */
function cbor(value: number | string | Buffer | ReadonlyMap<number | string, unknown>): Buffer {
  const head = (major: number, size: number) => {
    if (size < 24) return Buffer.from([(major << 5) | size]);
    return size < 256
      ? Buffer.from([(major << 5) | 24, size])
      : Buffer.from([(major << 5) | 25, size >> 8, size & 255]);
  };
  if (typeof value === "number") return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([
    head(5, value.size),
    ...[...value].flatMap((pair) => pair.map((each) => cbor(each as number))),
  ]);
}

/** What may be wrong with an answer. */
interface Wrong {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly challenge?: string;
  /** User present is 1, user verified is 4. */
  readonly flags?: number;
  readonly userHandle?: string;
  readonly key?: KeyObject;
  readonly counter?: number;
  /** What the device says of its maker, which nobody asked for. */
  readonly attestation?: readonly [format: string, statement: ReadonlyMap<string, number | string | Buffer>];
}

interface Options {
  readonly challenge: string;
  readonly user?: { readonly id: string };
}

/** A new passkey on a device at this origin. */
export class SoftwareDevice {
  readonly id = randomBytes(32).toString("base64url");
  readonly #keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  readonly #origin: string;
  #userHandle = "";
  counter = 0;

  constructor(origin = "http://selo.test") {
    this.#origin = origin;
  }

  /** RegistrationResponseJSON. */
  make({ challenge, user }: Options, wrong: Wrong = {}) {
    this.#userHandle = user?.id ?? "";
    const { x = "", y = "" } = this.#keys.publicKey.export({ format: "jwk" });
    const id = Buffer.from(this.id, "base64url");
    const key = cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, "base64url")],
        [-3, Buffer.from(y, "base64url")],
      ]),
    );
    // Bit 6: a key follows.
    const data = Buffer.concat([
      this.#data({ flags: 5, ...wrong }, 64),
      Buffer.alloc(16),
      Buffer.from([0, id.length]),
      id,
      key,
    ]);
    const attestation = new Map<string, unknown>([
      ["fmt", wrong.attestation?.[0] ?? "none"],
      ["attStmt", wrong.attestation?.[1] ?? new Map()],
      ["authData", data],
    ]);
    return {
      ...this.#answer,
      response: {
        clientDataJSON: base64url(this.#client("webauthn.create", challenge, wrong)),
        attestationObject: base64url(cbor(attestation)),
        transports: ["internal", "hybrid"],
      },
    };
  }

  /** AuthenticationResponseJSON. */
  sign({ challenge }: Options, wrong: Wrong = {}) {
    const data = this.#data({ flags: 5, ...wrong }, 0);
    const client = this.#client("webauthn.get", challenge, wrong);
    const signature = sign("sha256", Buffer.concat([data, sha256(client)]), wrong.key ?? this.#keys.privateKey);
    return {
      ...this.#answer,
      response: {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
        userHandle: wrong.userHandle ?? this.#userHandle,
      },
    };
  }

  get #answer() {
    return { id: this.id, rawId: this.id, type: "public-key", clientExtensionResults: {} };
  }

  #client(type: string, challenge: string, wrong: Wrong) {
    return JSON.stringify({
      type: wrong.type ?? type,
      challenge: wrong.challenge ?? challenge,
      origin: wrong.origin ?? this.#origin,
      crossOrigin: false,
    });
  }

  #data({ rpId = new URL(this.#origin).hostname, flags = 5, counter = this.counter }: Wrong, more: number) {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags | more]), count]);
  }
}
