// Participants who sign with certificates of their own: a pretended ICP-Brasil, and what people do with their keys.
import { createHash, sign as signWith } from "node:crypto";
import { type Made, rsaKey } from "../../adapters/certificates/pkcs12-files.ts";
import { AUTHORITY, derOf, folderOf, issue, withNames } from "../../adapters/signer-certificate/authority.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import type { RestResponse } from "../../support/rest-client.ts";
import { CONSENT } from "./completion-stage.ts";
import { ask, type EnvelopeStage } from "./envelope-stage.ts";
import { act, type Link } from "./signing-stage.ts";

/** A person with a certificate. */
export interface Holder extends Made {
  /** base64 DER, as requests have it. */
  readonly chain: readonly string[];
}

/** Authorities that the gateway of a test trusts, and certificates that they issue. */
export interface Authorities {
  readonly folder: string;
  readonly intermediate: Made;
  /** The authority that a place of the responder answers for. */
  readonly issuerOf: (place: string) => Made;
  holder(wishes?: { readonly name?: string; readonly cpf?: string; readonly key?: string }): Holder;
}

/** The nine digits and the two that check them; its owner is invented. */
const CPF_DIGITS = "52998224725";

const RSA_KEYS = 3;
const rsaKeys: string[] = [];
let lent = 0;

/** A key of another person than the last two have. Making one takes 0.1 s, so a process makes three. */
function anRsaKey(): string {
  const place = lent++ % RSA_KEYS;
  rsaKeys[place] ??= rsaKey();
  return rsaKeys[place];
}

/** @param responder the address of a responder that certificates name; none unless given */
export function authorities(responder: string | null = null): Authorities {
  const asks = (place: string) => (responder === null ? [] : [`authorityInfoAccess=OCSP;URI:${responder}/${place}`]);
  const root = issue({ subject: "/C=BR/O=ICP-Brasil/CN=Raiz de teste", extensions: AUTHORITY });
  const intermediate = issue({
    subject: "/C=BR/O=ICP-Brasil/CN=AC de teste",
    issuer: root,
    extensions: [...AUTHORITY, ...asks("root")],
  });
  return {
    issuerOf: (place) => (place === "/root" ? root : intermediate),
    folder: folderOf({ "root.pem": root.certificate }),
    intermediate,
    holder: ({ name = "MARIA SOUZA", cpf = CPF_DIGITS, key = anRsaKey() } = {}) => {
      const person = `01011980${cpf}${"0".repeat(11)}0000000012345SSPSP`;
      const made = issue({
        subject: `/C=BR/O=ICP-Brasil/CN=${name}:${cpf}`,
        key,
        issuer: intermediate,
        extensions: [...asks("intermediate"), ...withNames(`2.16.76.1.3.1;FORMAT:ASCII,OCTETSTRING:${person}`)],
      });
      return { ...made, chain: [made, intermediate].map((each) => derOf(each).toString("base64")) };
    },
  };
}

/** A gateway that trusts authorities in test, or in both environments. */
export async function startCertificateGateway(
  { folder }: Authorities,
  environment: Readonly<Record<string, string>> = {},
): Promise<TestGateway> {
  const selo = await startTestGateway({ ICP_BRASIL_TEST_ROOTS: folder, ...environment });
  // As `selo migrate` writes them.
  await selo.operator.changeSetting("icp_brasil_roots_test", folder);
  if (environment["ICP_BRASIL_ROOTS"] !== undefined)
    await selo.operator.changeSetting("icp_brasil_roots_live", environment["ICP_BRASIL_ROOTS"]);
  return selo;
}

/** The key under which attempts of the first link of a participant are counted. */
export const attemptsOf = (kind: string, { participantId }: Pick<Link, "participantId">): Buffer =>
  createHash("sha256").update(`${kind} of participant ${participantId} link 1`).digest();

/** Opens a session with the link alone; its token. */
export async function opened(stage: EnvelopeStage, link: Link): Promise<string> {
  const { status, body, text } = await act(stage, link, "POST", "/session", { body: {} });
  if (status !== 200) throw new Error(`answered ${status}: ${text}`);
  return body.token;
}

export const sendCertificate = (
  stage: EnvelopeStage,
  link: Link,
  session: string,
  chain: readonly string[],
): Promise<RestResponse> => act(stage, link, "POST", "/certificate", { session, body: { chain } });

interface ToSign {
  readonly document_id: string;
  readonly signed_attributes: string;
}

/** What the key of a person makes of that. */
export const signaturesOf = (toSign: readonly ToSign[], { key }: Made) =>
  toSign.map(({ document_id, signed_attributes }) => ({
    document_id,
    signature: signWith("sha256", Buffer.from(signed_attributes, "base64"), key).toString("base64"),
  }));

export const completeWith = (
  stage: EnvelopeStage,
  link: Link,
  session: string,
  signatures: readonly object[],
  more: object = {},
): Promise<RestResponse> =>
  act(stage, link, "POST", "/complete", { session, body: { consent_version: CONSENT, signatures, ...more } });

/** Signs with a certificate, from the link to the end; the answer. */
export async function signedWith(stage: EnvelopeStage, link: Link, holder: Holder): Promise<RestResponse> {
  const session = await opened(stage, link);
  const { status, body, text } = await sendCertificate(stage, link, session, holder.chain);
  if (status !== 200) throw new Error(`answered ${status}: ${text}`);
  return completeWith(stage, link, session, signaturesOf(body.to_sign, holder));
}

/** The sealed PDF of a document. */
export async function finalOf(stage: EnvelopeStage, id: string, documentId: string): Promise<Buffer> {
  const { status, body, text } = await ask(stage, "GET", `/envelopes/${id}/documents/${documentId}/download`);
  if (status !== 200) throw new Error(`answered ${status}: ${text}`);
  const answer = await fetch(body.url.replace("http://selo.test", stage.selo.baseUrl));
  return Buffer.from(await answer.arrayBuffer());
}
