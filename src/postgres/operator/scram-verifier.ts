import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";

const ITERATIONS = 4_096;

/**
 * The form in which Postgres stores a password (RFC 5803, SCRAM-SHA-256). With it, the password itself reaches neither
 * the server nor its log. Null for passwords beyond printable ASCII, because SASLprep (RFC 4013) might change them.
 */
export function scramVerifier(password: string, salt: Buffer = randomBytes(16)): string | null {
  if (!/^[ -~]+$/.test(password)) return null;
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, "sha256");
  const hmac = (text: string) => createHmac("sha256", salted).update(text).digest();
  const storedKey = createHash("sha256").update(hmac("Client Key")).digest();
  const serverKey = hmac("Server Key");
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString("base64")}$${storedKey.toString("base64")}:${serverKey.toString("base64")}`;
}
