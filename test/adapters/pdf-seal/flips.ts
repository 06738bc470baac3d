// A sealed PDF with a flipped byte, as OpenSSL and pdfsig see it.
import { opensslSays, run, signatureOf, signaturesOf } from "./seal-stage.ts";

/** The places of a sealed PDF: what is signed, and the signature. */
export function placesOf(sealed: Buffer): { readonly outside: readonly number[]; readonly inside: readonly number[] } {
  const [, start = 0, end = 0] = rangeOf(sealed);
  const all = [...sealed.keys()];
  return {
    outside: all.filter((place) => place < start || place >= end),
    inside: all.slice(start + 1, end - 1),
  };
}

const rangeOf = (sealed: Buffer): number[] => {
  const at = sealed.lastIndexOf("/ByteRange");
  return (/\[0 (\d+) +(\d+)/.exec(sealed.toString("latin1", at, at + 80)) ?? []).map(Number);
};

/** So many of the places, as far apart as they can be. */
export const some = (places: readonly number[], count: number): number[] =>
  Array.from({ length: count }, (_, index) => places[Math.floor(((places.length - 1) * index) / (count - 1))] ?? 0);

/** Where OpenSSL, which judges what is signed, does not notice a flipped byte. One of the byte range has it look nowhere else. */
export function unnoticed(sealed: Buffer, certificate: Buffer, places: readonly number[]): number[] {
  const [, start = 0, end = 0] = rangeOf(sealed);
  const script = `
import subprocess, sys
sealed = open("sealed.pdf", "rb").read()
start, end = int(sys.argv[1]), int(sys.argv[2])
kept = []
for place in map(int, open("places").read().split()):
    other = bytearray(sealed)
    other[place] ^= 1
    open("signed", "wb").write(bytes(other[:start]) + bytes(other[end:]))
    ended = subprocess.run("openssl cms -verify -cades -binary -inform DER -in seal.cms -content signed -CAfile c.pem -purpose any -out out".split(), capture_output=True)
    if ended.returncode == 0: kept.append(place)
print(kept)`;
  const pem = `-----BEGIN CERTIFICATE-----\n${certificate.toString("base64")}\n-----END CERTIFICATE-----\n`;
  const files = {
    "sealed.pdf": sealed,
    "seal.cms": signatureOf(sealed).cms,
    "c.pem": Buffer.from(pem),
    places: Buffer.from(places.join(" ")),
  };
  return JSON.parse(run(files, "python3", "-c", script, String(start), String(end)).said);
}

/** Where neither pdfsig, which reads the file as a reader does, nor OpenSSL, which compares the certificate, notices one. */
export function unnoticedByReaders(sealed: Buffer, certificate: Buffer, places: readonly number[]): number[] {
  return places.filter((place) => {
    const other = Buffer.from(sealed);
    other[place] = (other[place] ?? 0) ^ 1;
    return (
      signaturesOf(other).some(({ isValid, isTotal }) => isValid && isTotal) &&
      opensslSays(other, certificate).includes("successful")
    );
  });
}
