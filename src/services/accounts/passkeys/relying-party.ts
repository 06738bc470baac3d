import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";

/** As WebAuthn names us: browsers keep a passkey for the host of our public address, and use it on our origin alone. */
export class RelyingParty {
  readonly #id: string;
  readonly #origin: string;

  constructor(publicUrl: string) {
    const { hostname, origin } = new URL(publicUrl);
    this.#id = hostname;
    this.#origin = origin;
  }

  /** What a browser needs to sign somebody in: any passkey of ours, whose device makes sure that it is the person. */
  async requestOptions(challenge: Buffer): Promise<object> {
    const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
    return generateAuthenticationOptions({
      rpID: this.#id,
      challenge: new Uint8Array(challenge),
      userVerification: "required",
      timeout: CHALLENGE_MS,
    });
  }

  /** What a browser needs to make a passkey, on a device that has none of the known ones. */
  async creationOptions(challenge: Buffer, person: PasskeyPerson): Promise<object> {
    const { generateRegistrationOptions } = await import("@simplewebauthn/server");
    return generateRegistrationOptions({
      rpName: "Selo",
      rpID: this.#id,
      challenge: new Uint8Array(challenge),
      userID: new Uint8Array(userHandle(person.id)),
      userName: person.email,
      userDisplayName: person.name,
      timeout: CHALLENGE_MS,
      attestationType: "none",
      supportedAlgorithmIDs: [...ALGORITHMS],
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      excludeCredentials: person.known.map(({ credential_id, transports }) => ({
        id: Buffer.from(credential_id, "hex").toString("base64url"),
        transports: [...transports] as [],
      })),
    });
  }

  /** The passkey that a browser made, and the challenge that it answers. Null for an answer that is not right (WebAuthn, 7.1). */
  async madePasskey(response: RegistrationResponseJSON): Promise<MadePasskey | null> {
    const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
    const answered = await rightAnswer(async (expectedChallenge) =>
      verifyRegistrationResponse({
        response: await withoutAttestation(response),
        expectedChallenge,
        expectedOrigin: this.#origin,
        expectedRPID: this.#id,
        supportedAlgorithmIDs: [...ALGORITHMS],
      }),
    );
    const made = answered?.answer.registrationInfo?.credential;
    if (answered === null || made === undefined) return null;
    const [id, key] = [Buffer.from(made.id, "base64url"), Buffer.from(made.publicKey)];
    if (id.length < 1 || id.length > MOST_ID_BYTES || key.length > MOST_KEY_BYTES) return null;
    return {
      challenge: answered.challenge,
      credential_id: id.toString("hex"),
      public_key: key.toString("hex"),
      counter: made.counter,
      // Of an unknown browser.
      transports: (made.transports ?? [])
        .map(String)
        .filter((name) => /^[a-z-]{1,20}$/.test(name))
        .slice(0, 10),
    };
  }

  /** What a signature of a passkey says. Null for a wrong one, and for that of another person's passkey (WebAuthn, 7.2). */
  async signature(response: AuthenticationResponseJSON, passkey: KnownPasskey): Promise<PasskeySignature | null> {
    const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
    if (response.response.userHandle !== userHandle(passkey.person_id).toString("base64url")) return null;
    const answered = await rightAnswer((expectedChallenge) =>
      verifyAuthenticationResponse({
        response,
        expectedChallenge,
        expectedOrigin: this.#origin,
        expectedRPID: this.#id,
        credential: {
          id: response.id,
          publicKey: new Uint8Array(Buffer.from(passkey.public_key, "hex")),
          // SQL compares the counts.
          counter: 0,
        },
      }),
    );
    if (answered === null || !answered.answer.verified) return null;
    return { challenge: answered.challenge, counter: answered.answer.authenticationInfo.newCounter };
  }
}

/** As long as SQL takes a challenge (accounts.new_challenge). */
const CHALLENGE_MS = 300_000;

/** EdDSA, ES256 and RS256 (RFC 9053, RFC 8812): what the devices of today have. */
const ALGORITHMS = [-8, -7, -257] as const;

/** WebAuthn allows no longer ones. */
const MOST_ID_BYTES = 1_023;
/** Of an RSA key of 4,096 bits with room to spare. */
const MOST_KEY_BYTES = 4_096;

/**
 * The answer without what the device says of its maker. We did not ask for it, and the library would follow addresses that stand in its
 * certificates.
 */
async function withoutAttestation(response: RegistrationResponseJSON): Promise<RegistrationResponseJSON> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await import("@simplewebauthn/server/helpers");
  const given = decodeAttestationObject(isoBase64URL.toBuffer(response.response.attestationObject));
  const none = new Map<string, unknown>([
    ["fmt", "none"],
    ["attStmt", new Map()],
    ["authData", given.get("authData")],
  ]);
  const attestationObject = isoBase64URL.fromBuffer(isoCBOR.encode(none as never));
  return { ...response, response: { ...response.response, attestationObject } };
}

/** Names the person to the device: the bytes of the id. */
const userHandle = (personId: string): Buffer => Buffer.from(personId.replaceAll("-", ""), "hex");

/** The answer that `verify` finds right, and the challenge (hexadecimal) that it answers, which SQL knows. Null if it is not right. */
async function rightAnswer<Answer>(
  verify: (expectedChallenge: (given: string) => boolean) => Promise<Answer>,
): Promise<{ readonly answer: Answer; readonly challenge: string } | null> {
  let challenge = "";
  try {
    const answer = await verify((given) => {
      challenge = Buffer.from(given, "base64url").toString("hex");
      return true;
    });
    return { answer, challenge };
  } catch {
    // The library throws whatever is wrong with the answer of a browser.
    return null;
  }
}

interface PasskeyPerson {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly known: readonly { readonly credential_id: string; readonly transports: readonly string[] }[];
}

interface MadePasskey {
  readonly challenge: string;
  readonly credential_id: string;
  readonly public_key: string;
  readonly counter: number;
  readonly transports: readonly string[];
}

interface KnownPasskey {
  readonly person_id: string;
  readonly public_key: string;
}

interface PasskeySignature {
  readonly challenge: string;
  readonly counter: number;
}
