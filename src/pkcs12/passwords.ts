import { bytesOf, latin1 } from "./bytes.ts";

/** The bytes that a password stands for, in the two kinds of key derivation that PKCS#12 files use. */
export interface PasswordBytes {
  /** Of RFC 7292, appendix B: UTF-16, big-endian, with a terminating zero. */
  readonly pkcs12: Uint8Array;
  /** Of PBKDF2 (RFC 8018). */
  readonly pbkdf2: Uint8Array;
}

/**
 * The forms in which programs have written a password, the standard one first (RFC 7292, RFC 9579). All are those of ASCII but for:
 * an empty password, which some write without the terminating zero; OpenSSL before 1.1.0, which takes each byte that the terminal gives
 * for a character; PBKDF2 by programs whose terminal has ISO 8859-1; letters with an accent of their own (NFD), as macOS types names.
 */
export function passwordForms(password: string): PasswordBytes[] {
  const standard = { pkcs12: terminated(password), pbkdf2: utf8(password) };
  if (password === "") return [standard, { pkcs12: new Uint8Array(), pbkdf2: new Uint8Array() }];
  const isAscii = standard.pbkdf2.length === password.length;
  if (isAscii) return [standard];
  const forms = [standard];
  const composed = password.normalize("NFC");
  if (composed !== password) forms.push({ pkcs12: terminated(composed), pbkdf2: utf8(composed) });
  for (const bytes of [standard.pbkdf2, utf8(composed)])
    forms.push({ pkcs12: terminated(latin1(bytes)), pbkdf2: bytes });
  if (/^[\0-\xff]*$/.test(composed)) forms.push({ pkcs12: terminated(composed), pbkdf2: bytesOf(composed) });
  return forms;
}

const utf8 = (text: string) => new TextEncoder().encode(text);

function terminated(password: string): Uint8Array {
  const bytes = new Uint8Array(2 * password.length + 2);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < password.length; at++) view.setUint16(2 * at, password.charCodeAt(at));
  return bytes;
}
