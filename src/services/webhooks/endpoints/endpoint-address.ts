import { readWebhookUrl } from "../../../adapters/outgoing-http/url-rules.ts";
import { invalidRequest } from "../../../errors/app-error.ts";

/**
 * Checks an address that events may be posted to, and returns it in the form that the commands take.
 * @param allowsLoopback WEBHOOK_ALLOW_LOOPBACK
 * @throws AppError 422 invalid_request
 */
export function endpointAddress(url: string, allowsLoopback: boolean) {
  const address = readWebhookUrl(url, allowsLoopback);
  if ("refused" in address) throw invalidRequest([{ field: "url", message: address.refused }]);
  return { url: address.url, is_loopback: address.isLoopback };
}
