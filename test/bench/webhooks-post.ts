import { randomUUID } from "node:crypto";
import { Agent } from "undici";
import { signedHeaders } from "../../src/services/webhooks/deliveries/sign.ts";

/** What is posted without a queue. */
export interface Post {
  readonly url: string;
  readonly secret: string;
  readonly body: string;
}

const agent = new Agent({ connections: null, pipelining: 1 });

/** Posts over connections that are kept, signed anew as a webhook is, and answers the status. */
export async function post({ url, secret, body }: Post): Promise<number> {
  const about = { eventName: `evt_${randomUUID()}`, attempt: 1, body };
  const { origin, pathname } = new URL(url);
  const response = await agent.request({
    origin,
    path: pathname,
    method: "POST",
    headers: signedHeaders(secret, null, Math.floor(Date.now() / 1_000), about),
    body,
  });
  await response.body.dump();
  if (response.statusCode !== 204) throw new Error(`${url} answered ${response.statusCode}`);
  return response.statusCode;
}
