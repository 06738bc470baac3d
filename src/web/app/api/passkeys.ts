import { type Answer, askPasskeyOptions, type Session, sendPasskey } from "./auth.ts";
import { NO_NETWORK, type Refusal } from "./refusal.ts";

/** Whether this browser can use passkeys here: it keeps them for the names of hosts, not for IP addresses (WebAuthn, 5.1.2). */
export const canUsePasskeys = (): boolean =>
  typeof PublicKeyCredential === "function" &&
  "parseRequestOptionsFromJSON" in PublicKeyCredential &&
  !/^[\d.]+$|:/.test(location.hostname);

/** Has the browser sign with a passkey of this site, and signs in. */
export async function signInWithPasskey(): Promise<Answer<Session>> {
  const asked = await askPasskeyOptions();
  if (!asked.ok) return asked;
  const response = await ofBrowser(() =>
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(
        asked.body.options as PublicKeyCredentialRequestOptionsJSON,
      ),
    }),
  );
  if (!response.ok) return response;
  const answer = await sendPasskey(response.body);
  if (answer.ok || answer.refusal.code !== "unauthenticated") return answer;
  return { ok: false, refusal: { ...answer.refusal, code: "passkey_refused" } };
}

/** Has the browser make a passkey. Answers what addPasskey takes. */
export const makePasskey = (options: unknown): Promise<Answer<object>> =>
  ofBrowser(() =>
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON),
    }),
  );

async function ofBrowser(ask: () => Promise<Credential | null>): Promise<Answer<object>> {
  try {
    const made = await ask();
    return { ok: true, body: (made as PublicKeyCredential).toJSON() };
  } catch (error) {
    const isKnown = error instanceof DOMException && error.name === "InvalidStateError";
    return { ok: false, refusal: refusal(isKnown ? "passkey_known" : "passkey_canceled") };
  }
}

const refusal = (code: string): Refusal => ({ ...NO_NETWORK, code });
