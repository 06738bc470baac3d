/** The bytes that a password stands for, in the two kinds of key derivation that PKCS#12 files use. */
export interface PasswordBytes {
  /** Of RFC 7292, appendix B: UTF-16, big-endian, with a terminating zero. */
  readonly pkcs12: Buffer;
  /** Of PBKDF2 (RFC 8018). */
  readonly pbkdf2: Buffer;
}

/**
 * The forms in which programs have written a password, the standard one first (RFC 7292, RFC 9579). All are those of ASCII but for:
 * an empty password, which some write without the terminating zero; OpenSSL before 1.1.0, which takes each byte that the terminal gives
 * for a character; PBKDF2 by programs whose terminal has ISO 8859-1; letters with an accent of their own (NFD), as macOS types names.
 */
export function passwordForms(password: string): PasswordBytes[] {
  const standard = { pkcs12: terminated(password), pbkdf2: Buffer.from(password, "utf8") };
  if (password === "") return [standard, { pkcs12: Buffer.alloc(0), pbkdf2: Buffer.alloc(0) }];
  const isAscii = standard.pbkdf2.length === password.length;
  if (isAscii) return [standard];
  const forms = [standard];
  const composed = password.normalize("NFC");
  if (composed !== password) forms.push({ pkcs12: terminated(composed), pbkdf2: Buffer.from(composed, "utf8") });
  for (const bytes of [standard.pbkdf2, Buffer.from(composed, "utf8")])
    forms.push({ pkcs12: terminated(bytes.toString("latin1")), pbkdf2: bytes });
  if (/^[\0-\xff]*$/.test(composed))
    forms.push({ pkcs12: terminated(composed), pbkdf2: Buffer.from(composed, "latin1") });
  return forms;
}

function terminated(password: string): Buffer {
  return Buffer.from(`${password}\0`, "utf16le").swap16();
}
