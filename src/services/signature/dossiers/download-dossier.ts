import { unauthenticated } from "../../../errors/app-error.ts";
import { storageRefusal } from "../../../surfaces/storage-refusal.ts";
import { operation } from "../parts.ts";
import { makeDossier } from "./make-dossier.ts";
import type { PreparedDossier } from "./prepared-dossier.ts";

/** The dossier of an envelope that has ended: one ZIP with all that proves it. */
export const downloadDossier = operation({
  name: "downloadDossier",
  command: "prepare_dossier",
  made: ["maker"],
  answers: { file: "application/zip", description: "The dossier." },
  errors: ["not_found", "conflict"],
  rest: {
    method: "GET",
    path: "/envelopes/{id}/dossier",
    status: 200,
    session: true,
    tag: "Envelopes",
    summary: "Download the dossier of an envelope",
    description:
      "One ZIP file with all that proves an envelope, to pass on and to check without a network: the documents as they were uploaded (`originals/`) and sealed (`final/`, once completed), `report.pdf`, `evidence.json` with every opening of the signed records, `seal.json` once a daily seal of the audit trail covers the end, `keys.json`, and `SHA256SUMS`, which `sha256sum -c` accepts. `node selo-verify.mjs dossier.zip --keys keys.json` checks it.\n\n" +
      "Available once the envelope is completed, declined, cancelled, expired or failed (409 `conflict` before). The dossier holds personal data: e-mail and network addresses, browsers, drawn signatures and the values of fields. Bytes and `ETag` stay the same while nothing happens in the envelope. They change with the platform's keys, with the organization's name, language and time zone, and when an audit seal comes to cover events that no seal covered before. Files and openings of a participant whose personal data were erased are left out; `selo-verify.mjs` then says `erased`, once a seal covers the erasure. A `Range` header with one byte range returns 206 with these bytes.",
  },
  run: async ({ call, parts, requester }, { id }) => {
    const { credentialHash, origin } = requester;
    if (credentialHash === null) throw unauthenticated();
    // The right comes first: others would take turns of the organization.
    await parts.database.authorize(credentialHash, "prepare_dossier", origin.organization);
    const dataKey = await parts.dataKeys.ofCaller(parts.database, requester);
    const make = async () => {
      const { body } = await call("prepare_dossier", { id, maker: parts.reportMaker() });
      return makeDossier(
        {
          ...parts,
          // Without the Idempotency-Key of the request, which only reads.
          keep: (report) =>
            parts.database.call({ credentialHash, origin, command: "keep_report", arguments: { ...report } }),
        },
        dataKey,
        JSON.parse(body ?? "") as PreparedDossier,
      );
    };
    const { file, fileName } = await parts.dossierTurns.make(dataKey.tenantId, make).catch((error: unknown) => {
      throw storageRefusal(error);
    });
    return { file, fileName, contentType: "application/zip", as: "attachment" };
  },
});
