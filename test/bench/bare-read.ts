/** The least a server of proofs could do: node:http, one indexed select, JSON. No tenants, no tokens, no checks. */
import http from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";

const pool = new pg.Pool({ connectionString: process.argv[2], max: 10 });
const server = http.createServer(async (request, response) => {
  const [, tenant, id] = (request.url ?? "").split("/");
  const { rows } = await pool.query(
    `select id, encode(sha256, 'hex') as sha256, label, file_name, file_size, language, registered_at, verification_code,
       evidence::json, encode(platform_signature, 'base64') as platform_signature, platform_key_id,
       encode(platform_signature_pq, 'base64') as platform_signature_pq, platform_pq_key_id
     from signature.proofs where tenant_id = $1 and id = $2`,
    [tenant, id],
  );
  response.setHeader("content-type", "application/json; charset=utf-8");
  response.end(JSON.stringify(rows[0]));
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
