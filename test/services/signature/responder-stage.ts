// Authorities whose certificates name an OCSP responder on this machine, which asks openssl what to answer.
import { X509Certificate } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { type Entry, ocspOf } from "../../adapters/signer-certificate/authority.ts";
import { type Authorities, authorities, type Holder } from "./certificate-stage.ts";

export interface Responder {
  readonly icp: Authorities;
  /** Whether it answers; an error of its own otherwise. */
  answers: boolean;
  /** Its answers about certificates that it does not know are `unknown`; it always knows the authority that issues. */
  knows(...holders: readonly Holder[]): void;
  /** As if at noon on 1 November 2026. */
  revokes(holder: Holder): void;
  stop(): void;
}

export async function startResponder(): Promise<Responder> {
  const entries = new Map<string, Entry>();
  const server = http.createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      if (!responder.answers) {
        response.writeHead(500).end();
        return;
      }
      const issuer = icp.issuerOf(request.url ?? "");
      response.end(ocspOf(Buffer.concat(pieces), { issuer, entries: [...entries.values()] }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const icp = authorities(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const know = (made: Pick<Holder, "certificate">, revoked?: string) => {
    const { serialNumber: serial } = new X509Certificate(made.certificate);
    entries.set(serial, { serial, ...(revoked === undefined ? {} : { revoked }) });
  };
  know(icp.intermediate);
  const responder: Responder = {
    icp,
    answers: true,
    knows: (...holders) => {
      for (const holder of holders) know(holder);
    },
    revokes: (holder) => know(holder, "261101120000Z,keyCompromise"),
    stop: () => void server.close(),
  };
  return responder;
}
