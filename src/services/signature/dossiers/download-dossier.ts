import { storageRefusal } from "../../../surfaces/storage-refusal.ts";
import { reportMaker } from "../envelopes/kept-report.ts";
import { operation } from "../parts.ts";
import { makeDossier } from "./make-dossier.ts";
import type { PreparedDossier } from "./prepared-dossier.ts";
import { sentInTurns } from "./sent-in-turns.ts";

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
      "Available once the envelope is completed, declined, cancelled, expired or failed (409 `conflict` before). The dossier holds personal data: e-mail and network addresses, browsers, drawn signatures and the values of fields. Bytes and `ETag` stay the same while nothing happens in the envelope. They change with the platform's keys, with the organization's name, language and time zone, and when an audit seal comes to cover events that no seal covered before. A `Range` header with one byte range returns 206 with these bytes.",
  },
  run: async ({ call, parts, requester }, { id }) => {
    const { body } = await call("prepare_dossier", { id, maker: reportMaker(parts.siteOperator) });
    const { credentialHash, origin } = requester;
    const dataKey = await parts.dataKeys.ofCaller(parts.database, requester);
    const prepared = JSON.parse(body ?? "") as PreparedDossier;
    const { file, fileName } = await makeDossier(
      {
        ...parts,
        // Without the Idempotency-Key of the request, which only reads.
        keep: (report) =>
          parts.database.call({ credentialHash, origin, command: "keep_report", arguments: { ...report } }),
      },
      dataKey,
      prepared,
    ).catch((error: unknown) => {
      throw storageRefusal(error);
    });
    return {
      file: sentInTurns(file, parts.dossierSlots, prepared.report.tenant_id),
      fileName,
      contentType: "application/zip",
      as: "attachment",
    };
  },
});
