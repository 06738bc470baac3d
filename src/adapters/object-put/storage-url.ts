import { readWebhookUrl, type WebhookUrl } from "../outgoing-http/url-rules.ts";

/**
 * Checks the address of a storage as that of a webhook. It may have a path, below which the buckets are.
 * @returns the address without a slash at its end, or the reason for its refusal in words for the caller
 */
export function readStorageUrl(text: string, allowLoopback: boolean): WebhookUrl | { readonly refused: string } {
  const read = readWebhookUrl(text, allowLoopback);
  if ("refused" in read)
    return URL.canParse(text) ? read : { refused: "must be a URL such as https://s3.example.com, with https://" };
  if (read.url.includes("?")) return { refused: "must not have a query" };
  return { ...read, url: read.url.replace(/\/+$/, "") };
}
