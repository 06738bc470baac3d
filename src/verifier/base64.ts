/** The bytes of padded base64 (RFC 4648 §4); null for any other text, or for base64 that is not canonical. */
export function base64Decoded(text: string): Uint8Array | null {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  const binary = atob(text);
  // Bits beyond the last byte must be zero: otherwise two texts would be the same signature.
  if (btoa(binary) !== text) return null;
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < bytes.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

/** Padded base64 of the bytes. */
export function base64Encoded(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
