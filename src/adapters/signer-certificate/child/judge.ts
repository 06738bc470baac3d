import type { JudgeAnswer, Order } from "../messages.ts";
import { MOST_CRL_ADDRESSES, MOST_OCSP_ADDRESSES } from "../refusals.ts";
import { type ParsedCertificate, parseCertificate } from "./certificate.ts";
import { checkPath } from "./check-path.ts";
import { crlAddresses, ocspAddresses } from "./extensions.ts";
import { findPaths, type Issuers, type Placed } from "./find-paths.ts";
import { holderOf } from "./holder.ts";
import { acceptedKey } from "./keys.ts";
import { commonName, isSameName, oneLine } from "./names.ts";
import { ocspRequest } from "./ocsp-request.ts";
import { Refused } from "./refused.ts";

type JudgeOrder = Extract<Order, { task: "judge" }>;

/** Judges a signer's certificate. */
export function judge(order: JudgeOrder): JudgeAnswer {
  try {
    return judged(order);
  } catch (error) {
    if (error instanceof Refused) return { refused: error.reason, message: error.message };
    throw error;
  }
}

function judged(order: JudgeOrder): JudgeAnswer {
  const chain = order.chain.map((text, place) => readCertificate(Buffer.from(text, "base64"), place));
  const [holder] = chain;
  if (!holder) throw new Refused("chain", "There is no certificate.");
  const path = soundPath(holder, issuersOf(order, chain), new Date(order.at));
  try {
    return described(path, order);
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Refused("chain", "The certificate cannot be read.");
  }
}

function readCertificate(der: Buffer, place: number): Placed {
  try {
    return { place, certificate: parseCertificate(der) };
  } catch {
    throw new Refused("chain", `Certificate ${place + 1} of the chain is not a certificate in DER.`);
  }
}

/** The operator's folder may have all authorities of ICP-Brasil. Those alone that a path needs are read. */
function issuersOf(order: JudgeOrder, chain: readonly Placed[]): Issuers {
  const own = order.authorities.map(({ certificate, subject, isRoot }, index) => ({
    place: chain.length + index,
    subject: Buffer.from(subject, "base64"),
    isRoot,
    der: certificate,
  }));
  const read = (name: Buffer, wantsRoots: boolean): Placed[] =>
    own
      .filter(({ subject, isRoot }) => isRoot === wantsRoots && isSameName(subject, name))
      .map(({ der, place }) => ({ place, certificate: parseCertificate(Buffer.from(der, "base64")) }));
  return {
    rootsOf: (name) => read(name, true),
    othersOf: (name) => [...chain, ...read(name, false)],
  };
}

/** The first path without a fault; the fault of the first path where all have one. */
function soundPath(holder: Placed, issuers: Issuers, at: Date): readonly Placed[] {
  let fault: Refused | null = null;
  for (const path of findPaths(holder, issuers)) {
    try {
      checkPath(
        path.map(({ certificate }) => certificate),
        at,
      );
      return path;
    } catch (error) {
      // An extension that cannot be read.
      fault ??= error instanceof Refused ? error : new Refused("chain", "A certificate of the chain cannot be read.");
    }
  }
  throw fault ?? new Refused("chain", "The certificate has no complete chain to an accepted root authority.");
}

function described(path: readonly Placed[], { cpf }: JudgeOrder): JudgeAnswer {
  const certificates = path.map(({ certificate }) => certificate);
  const [leaf] = certificates;
  const key = acceptedKey(leaf?.key ?? null);
  if (!leaf || !key) throw new Error("the path was not checked");
  const holder = holderOf(leaf);
  if (cpf !== null && holder.cpf !== cpf)
    throw new Refused(
      "cpf",
      holder.cpf === null ? "The certificate names no CPF." : "The certificate names another CPF.",
    );
  const { x509 } = leaf;
  return {
    judged: {
      path: path.map(({ place }) => place),
      ...holder,
      issuer: oneLine(x509.issuer.replaceAll("\n", ", ")),
      issuer_name: commonName(leaf.issuer) ?? oneLine(x509.issuer.replaceAll("\n", ", ")),
      serial: leaf.serial
        .toString("hex")
        .replace(/^00(?=.)/, "")
        .toUpperCase(),
      sha256: x509.fingerprint256.replaceAll(":", "").toLowerCase(),
      not_before: leaf.notBefore.toISOString(),
      not_after: leaf.notAfter.toISOString(),
      ...key,
      revocation: certificates.slice(0, -1).map((certificate, index) => planOf(certificate, certificates[index + 1])),
    },
  };
}

function planOf(certificate: ParsedCertificate, issuer: ParsedCertificate | undefined) {
  if (!issuer) throw new Error("the path has no issuer");
  const few = (addresses: readonly string[], most: number) =>
    [...new Set(addresses)].filter((address) => /^https?:/i.test(address)).slice(0, most);
  return {
    ocsp: few(ocspAddresses(certificate), MOST_OCSP_ADDRESSES),
    crl: few(crlAddresses(certificate), MOST_CRL_ADDRESSES),
    request: ocspRequest(certificate, issuer).toString("base64"),
  };
}
