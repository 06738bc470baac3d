import { startBenchGateway } from "./bench-gateway.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";
import { aSender, asked, contract, openAdmin, ready } from "./sealing-stage.ts";

const BYTES = 10 * 1_048_576;
const FILES = Number(process.env["BENCH_FILES"] ?? 10);
/** A file is replaced twenty times. */
const OF_A_FIELD = 20;

/** A PDF of 10 MiB that a participant delivers for a field, beside the same file uploaded as a document: in turns, one after the other. */
export async function attachments(): Promise<Measurement[]> {
  const gateway = await startBenchGateway({ DOCUMENT_CHECK_WAIT_SECONDS: "60" });
  const admin = openAdmin(gateway);
  try {
    // What a PDF has beside its content is less than 100 kB.
    const file = contract(1, BYTES - 100_000);
    const sender = await aSender(gateway, gateway.organization, contract(1, 10_000));
    const post = (path: string, body?: object) =>
      asked<{ id: string }>(gateway, "POST", path, { token: sender.token, ...(body === undefined ? {} : { body }) });
    const { id } = await post("/envelopes", { title: "Contract", field_placement: "fields" });
    await post(`/envelopes/${id}/documents`, { document_id: sender.documentId });
    const person = { name: "Maria Souza", email: "maria@example.com" };
    const { id: participant_id } = await post(`/envelopes/${id}/participants`, person);
    const place = { participant_id, document_id: sender.documentId, page: 1, x: 0.1, y: 0.1, width: 0.3, height: 0.06 };
    const files = ROUNDS * FILES + 1;
    const fields: string[] = [];
    for (let count = 0; count < files; count += OF_A_FIELD)
      fields.push((await post(`/envelopes/${id}/fields`, { ...place, type: "anexo" })).id);
    await post(`/envelopes/${id}/fields`, place);
    await post(`/envelopes/${id}/send`);
    const { headers } = await ready(admin, sender, id, participant_id);

    /** How long the file takes, in milliseconds. */
    const send = async (method: string, path: string, by: Readonly<Record<string, string>>): Promise<number> => {
      const form = new FormData();
      form.set("file", new Blob([new Uint8Array(file)], { type: "application/pdf" }), "contract.pdf");
      const began = performance.now();
      const answer = await fetch(`${gateway.url}/api/v1${path}`, { method, headers: by, body: form });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
      return performance.now() - began;
    };
    const times: { readonly attach: number; readonly upload: number }[] = [];
    for (let count = 0; count < files; count++) {
      const field = fields[Math.floor(count / OF_A_FIELD)] ?? "";
      const attach = await send("PUT", `/signing/${participant_id}/attachments/${field}`, headers);
      const upload = await send("POST", "/documents", { authorization: `Bearer ${sender.token}` });
      // The first ones warm up.
      if (count > 0) times.push({ attach, upload });
    }
    return [
      {
        figure: `PUT …/attachments/{field_id} of a PDF of ${(file.length / 1_048_576).toFixed(1)} MiB (aim 0.9)`,
        value: `${median(times.map(({ attach }) => attach)).toFixed(0)} ms`,
        peer: `uploaded as document ${median(times.map(({ upload }) => upload)).toFixed(0)} ms`,
        ratio: median(times.map(({ attach, upload }) => upload / attach)).toFixed(2),
      },
    ];
  } finally {
    await admin.end();
    await gateway.stop();
  }
}
