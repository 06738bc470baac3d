import type { Sending } from "./reader/attachment.ts";
import { type Access, type Answer, NO_NETWORK, PATIENCE_FOR_DOCUMENTS_MS, refusalOf, SIGNING } from "./service.ts";

/** Sends the file of a field. A request of `fetch` would not say how far it is. */
export function sendFile(
  { participantId, secret, token }: Access,
  fieldId: string,
  file: File,
  { signal, onProgress }: Sending,
): Promise<Answer<{ readonly filename: string; readonly size: number }>> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("PUT", `${SIGNING}/${encodeURIComponent(participantId)}/attachments/${encodeURIComponent(fieldId)}`);
    request.setRequestHeader("x-signing-link", secret);
    if (token !== undefined) request.setRequestHeader("x-signing-session", token);
    request.timeout = PATIENCE_FOR_DOCUMENTS_MS;
    request.upload.onprogress = ({ loaded }) => onProgress(Math.min(loaded, file.size));
    const fail = () => resolve({ ok: false, refusal: NO_NETWORK });
    request.onerror = fail;
    request.ontimeout = fail;
    request.onabort = fail;
    request.onload = async () => {
      const { status, responseText } = request;
      if (status === 200) return resolve({ ok: true, body: JSON.parse(responseText) });
      const headers = Object.fromEntries(
        ["retry-after", "x-request-id"].flatMap((name) => {
          const value = request.getResponseHeader(name);
          return value === null ? [] : [[name, value]];
        }),
      );
      resolve({ ok: false, refusal: await refusalOf(new Response(responseText, { headers })) });
    };
    signal.addEventListener("abort", () => request.abort());
    const form = new FormData();
    form.set("file", file);
    request.send(form);
  });
}
