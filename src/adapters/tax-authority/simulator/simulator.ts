/**
 * A tax authority for tests and demonstrations. It speaks the protocol of Sefin Nacional over mutual TLS, with certificates that it makes itself. It issues real, signed
 * NFS-e that mean nothing. Requests meet what a scenario says, set through a port for control.
 */
import { randomInt, X509Certificate } from "node:crypto";
import { mkdirSync } from "node:fs";
import http, { type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { z } from "zod";
import { serializeXml, type XmlElement } from "../../xml/xmldom.ts";
import { accessKeyIsSound, CANCELLATION_EVENT } from "../access-key.ts";
import type { AuthorityError } from "../authority-answers.ts";
import { cnpjOfCertificate } from "../certificate-cnpj.ts";
import { packXml } from "../packed-xml.ts";
import type { TaxIdentity } from "../sign-xml.ts";
import { parseSoundXml } from "../xml-dom.ts";
import { checkCancellation, checkDps, type Sender } from "./check-dps.ts";
import { type A1, type A1Request, makeA1, makeAuthority, makeCertificate } from "./demo-certificates.ts";
import { DocumentsFolder, readIfPresent, type StoredNfse, writeWhole } from "./documents-folder.ts";
import { type Incident, type ScenarioInput, Scenarios, scenario } from "./scenario.ts";
import { alterDps, brasiliaTime, makeCancellationEvent, makeNfse } from "./simulated-nfse.ts";

export interface SimulatorOptions {
  /** Where its keys and its NFS-e are kept; made when it is missing. */
  readonly folder: string;
  /** 0: any free port. */
  readonly port?: number;
  readonly controlPort?: number;
  /** Where the tax authority's port listens; the control port always listens on loopback. */
  readonly host?: string;
  /** Names of the server's certificate, beside localhost and the loopback addresses. Counts at the first start. */
  readonly serverNames?: readonly string[];
  readonly environment?: "live" | "test";
  /** Per cent, as the municipality has registered it. */
  readonly issRate?: string;
  readonly now?: () => Date;
}

/** One request that the simulator received. */
export interface SimulatedRequest {
  readonly method: string;
  readonly path: string;
  /** CNPJ of the client's certificate. */
  readonly issuer: string | null;
  /** Of a POST /nfse or GET /dps whose DPS could be read. */
  readonly dps_id: string | null;
}

export interface Simulator {
  /** The base URL for the client, with the path prefix of the real one. */
  readonly url: string;
  readonly controlUrl: string;
  /** The authority of the server's certificate. */
  readonly caPem: string;
  /** The certificate that signs NFS-e and events. */
  readonly signerPem: string;
  /** Issues an A1 certificate by the simulator's authority. */
  makeA1(request: A1Request): Promise<A1>;
  /** Sets what the next requests meet, as POST /scenario does. @throws ZodError */
  setScenario(given: ScenarioInput): void;
  requests(): readonly SimulatedRequest[];
  /** How many NFS-e each DPS became, by the DPS's Id. */
  nfseCounts(): Readonly<Record<string, number>>;
  stop(): Promise<void>;
}

const PREFIX = "/SefinNacional";
const LOOPBACK = "127.0.0.1";
const MOST_BODY_BYTES = 4 * 1024 * 1024;
const MOST_REQUESTS = 10_000;
const BOMB_BYTES = 64 * 1024 * 1024;
const DEFAULT_RATE = "5.00";

interface Keys {
  readonly authority: TaxIdentity;
  readonly server: TaxIdentity;
  readonly signer: TaxIdentity;
  /** Of an authority that nobody trusts. */
  readonly stranger: () => Promise<TaxIdentity>;
}

/** What an operation answers: a status and a JSON body; and the document with its member, for incidents that change it. */
interface Outcome {
  readonly status: number;
  readonly body: unknown;
}

/** Starts the simulator; its keys are made at the first start. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { folder, host = LOOPBACK, now = () => new Date() } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const keys = await loadKeys(folder, ["localhost", LOOPBACK, "::1", ...(options.serverNames ?? [])], now());
  const documents = new DocumentsFolder(join(folder, "nfse"));
  const scenarios = new Scenarios();
  const requests: SimulatedRequest[] = [];
  const authority = new SimulatedAuthority({ keys, documents, scenarios, requests, options, now });
  const service = https.createServer(
    {
      key: keys.server.privateKey,
      cert: keys.server.certificate,
      requestCert: true,
      // Certificates of any authority are welcome; a missing one is answered.
      rejectUnauthorized: false,
      ALPNProtocols: ["http/1.1"],
    },
    answering((request, response) => authority.answer(request, response)),
  );
  const control = http.createServer(
    answering((request, response) => controlAnswer(request, response, { scenarios, requests, documents })),
  );
  await Promise.all([listen(service, options.port ?? 0, host), listen(control, options.controlPort ?? 0, LOOPBACK)]);
  return {
    url: `https://${host === LOOPBACK ? LOOPBACK : "localhost"}:${portOf(service)}${PREFIX}`,
    controlUrl: `http://${LOOPBACK}:${portOf(control)}`,
    caPem: keys.authority.certificate,
    signerPem: keys.signer.certificate,
    makeA1: (request) => makeA1(keys.authority, request, now()),
    setScenario: (given) => scenarios.set(scenario.parse(given)),
    requests: () => [...requests],
    nfseCounts: () => documents.counts(),
    stop: async () => {
      for (const server of [service, control]) server.closeAllConnections();
      await Promise.all([service, control].map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

interface Parts {
  readonly keys: Keys;
  readonly documents: DocumentsFolder;
  readonly scenarios: Scenarios;
  readonly requests: SimulatedRequest[];
  readonly options: SimulatorOptions;
  readonly now: () => Date;
}

class SimulatedAuthority {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const certificate = (request.socket as TLSSocket).getPeerX509Certificate();
    const body = await readBody(request);
    const path = (request.url ?? "").replace(PREFIX, "");
    if (certificate === undefined) return send(response, refusal(403, "erros", "E1200", "Certificado não apresentado"));
    const pem = certificate.toString();
    const sender: Sender = { certificate: pem, cnpj: cnpjOfCertificate(pem) };
    const isWrite = request.method === "POST";
    const seen = { method: request.method ?? "", path, issuer: sender.cnpj, dps_id: dpsIdIn(path) };
    // Its DPS is named once it could be read.
    const place = this.#note(seen);
    const incident = this.#parts.scenarios.take(sender.cnpj ?? "", isWrite);
    const early = beforeActing(incident, path);
    if (early === "drop") return void request.socket.destroy();
    if (early !== null) return send(response, early.outcome, early.headers);
    if (incident.kind === "delay") await new Promise((resolve) => setTimeout(resolve, incident.ms));
    const outcome = await this.#act(request.method ?? "", path, body, sender, incident, (dpsId) => {
      this.#parts.requests[place] = { ...seen, dps_id: dpsId };
    });
    await afterActing(incident, outcome, path, response);
  }

  #note(seen: SimulatedRequest): number {
    const { requests } = this.#parts;
    if (requests.length >= MOST_REQUESTS) requests.splice(0, MOST_REQUESTS / 2);
    return requests.push(seen) - 1;
  }

  async #act(
    method: string,
    path: string,
    body: string,
    sender: Sender,
    incident: Incident,
    name: (dpsId: string) => void,
  ): Promise<Outcome> {
    const [, kind, id = "", events, type, sequence] = path.split("/");
    const { documents } = this.#parts;
    if (method === "POST" && kind === "nfse" && id === "") return this.#issue(body, sender, incident, name);
    if (method === "POST" && kind === "nfse" && events === "eventos") return this.#cancel(id, body, sender, incident);
    if (method !== "GET" && method !== "HEAD") return { status: 405, body: {} };
    if (kind === "dps") {
      const found = documents.ofDps(id);
      if (!/^DPS\d{42}$/.test(id)) return refusal(400, "erro", "E0004", "Identificador de DPS inválido");
      if (found === undefined) return refusal(404, "erro", "E2404", "Não foi gerada uma NFS-e");
      return { status: 200, body: { ...this.#heading(), idDps: id, chaveAcesso: found.access_key } };
    }
    if (kind !== "nfse") return { status: 404, body: {} };
    if (!accessKeyIsSound(id)) return refusal(400, "erro", "E2400", "Chave de acesso inválida");
    const found = documents.ofKey(id);
    if (events === undefined) {
      if (found === undefined) return refusal(404, "erro", "E2404", "Chave de acesso não encontrada");
      return this.#nfseAnswer(200, found, incident);
    }
    if (found?.event_xml == null || type !== CANCELLATION_EVENT || sequence !== "1")
      return refusal(404, "erro", "E2404", "Nenhum evento encontrado para a NFS-e");
    return this.#eventAnswer(200, found.event_xml, incident);
  }

  async #issue(body: string, sender: Sender, incident: Incident, name: (dpsId: string) => void): Promise<Outcome> {
    const { documents, now } = this.#parts;
    const checked = checkDps(memberOf(body, "dpsXmlGZipB64"), sender, this.#rules());
    if ("errors" in checked) return refusals(400, "erros", checked.errors);
    const { root, id } = checked;
    name(id);
    if (documents.ofDps(id) !== undefined)
      return refusal(400, "erros", "E0014", "Conjunto de série, número, município e CNPJ já existe em outra NFS-e", id);
    const issuer = sender.cnpj ?? "";
    const number = documents.nextNumber(issuer);
    const { accessKey, xml } = makeNfse({ ...this.#nfseRequest(sender), dps: root, number, now: now() });
    const stored = { dps_id: id, access_key: accessKey, nfse_number: String(number), issuer, xml, event_xml: null };
    documents.store(stored);
    return this.#nfseAnswer(201, stored, incident, root, sender);
  }

  #nfseRequest(sender: Sender) {
    const { keys, options } = this.#parts;
    const commonName = /^CN=(.*)$/m.exec(new X509Certificate(sender.certificate).subject)?.[1] ?? "Emitente";
    return {
      issuerName: commonName.replace(/:\d+$/, ""),
      randomDigits: String(randomInt(1_000_000_000)).padStart(9, "0"),
      issRate: options.issRate ?? DEFAULT_RATE,
      signer: keys.signer,
    };
  }

  async #cancel(accessKey: string, body: string, sender: Sender, incident: Incident): Promise<Outcome> {
    const { documents, keys, now } = this.#parts;
    const found = documents.ofKey(accessKey);
    if (found === undefined) return refusal(404, "erro", "E1831", "NFS-e não encontrada");
    const packed = memberOf(body, "pedidoRegistroEventoXmlGZipB64");
    const checked = checkCancellation(packed, sender, { ...this.#rules(), accessKey });
    if ("errors" in checked) return refusals(400, "erro", checked.errors);
    const already = () => refusal(400, "erro", "E0840", "NFS-e já cancelada");
    if (found.event_xml !== null) return already();
    const isOthers = incident.kind === "already_canceled";
    const request = isOthers ? othersRequest(checked.root, now()) : checked.root;
    const event = makeCancellationEvent(request, accessKey, now(), keys.signer);
    documents.store({ ...found, event_xml: event });
    return isOthers ? already() : this.#eventAnswer(201, event, incident, checked.root, accessKey);
  }

  #rules() {
    return { environment: this.#parts.options.environment ?? ("test" as const), now: this.#parts.now() };
  }

  #heading() {
    const { options, now } = this.#parts;
    const tipoAmbiente = options.environment === "live" ? 1 : 2;
    return { tipoAmbiente, versaoAplicativo: "SeloSimulador", dataHoraProcessamento: brasiliaTime(now()) };
  }

  async #nfseAnswer(
    status: number,
    stored: StoredNfse,
    incident: Incident,
    dps?: XmlElement,
    sender?: Sender,
  ): Promise<Outcome> {
    const { keys, now } = this.#parts;
    let { xml } = stored;
    if (dps !== undefined && sender !== undefined) {
      const again = { ...this.#nfseRequest(sender), number: Number(stored.nfse_number), now: now() };
      if (incident.kind === "wrong_signer") xml = makeNfse({ ...again, dps, signer: await keys.stranger() }).xml;
      if (incident.kind === "altered_dps") xml = makeNfse({ ...again, dps: parseSoundXml(alterDps(dps)) }).xml;
    }
    const chaveAcesso = stored.access_key;
    const idDps = stored.dps_id;
    return { status, body: { ...this.#heading(), idDps, chaveAcesso, nfseXmlGZipB64: packXml(xml), alertas: [] } };
  }

  async #eventAnswer(
    status: number,
    event: string,
    incident: Incident,
    request?: XmlElement,
    accessKey = "",
  ): Promise<Outcome> {
    const { keys, now } = this.#parts;
    const xml =
      incident.kind === "wrong_signer" && request !== undefined
        ? makeCancellationEvent(request, accessKey, now(), await keys.stranger())
        : event;
    return { status, body: { ...this.#heading(), eventoXmlGZipB64: packXml(xml) } };
  }
}

/** The request of somebody else, with another time and reason. Its own signature is left out: the simulator has no key of theirs. */
function othersRequest(root: XmlElement, now: Date): XmlElement {
  const xml = serializeXml(root)
    .replace(/<Signature[\s\S]*<\/Signature>/, "")
    .replace(/<dhEvento>[^<]*/, `<dhEvento>${brasiliaTime(now)}`)
    .replace(/<xMotivo>[^<]*/, "<xMotivo>Cancelada no portal nacional");
  return parseSoundXml(xml);
}

/** What is answered before anything is done: null to go on. */
function beforeActing(
  incident: Incident,
  path: string,
): "drop" | { outcome: Outcome; headers?: Record<string, string> } | null {
  const member = path.includes("/eventos") ? "erro" : "erros";
  switch (incident.kind) {
    case "drop_before":
      return "drop";
    case "error_before":
      return { outcome: refusal(500, member, "E9999", "Erro interno") };
    case "forbidden":
      return { outcome: { status: 403, body: { mensagem: "Acesso negado" } } };
    case "status": {
      const { status, retry_after } = incident;
      return {
        outcome: { status, body: {} },
        headers: {
          ...(retry_after !== undefined && { "retry-after": retry_after }),
          ...(status < 400 && { location: "https://127.0.0.1:9/elsewhere" }),
        },
      };
    }
    case "reject": {
      const errors = incident.errors.map(({ code, message, complement = null }) => ({ code, message, complement }));
      return { outcome: refusals(incident.status, member, errors) };
    }
    default:
      return null;
  }
}

/** Answers, by the incident. */
async function afterActing(
  incident: Incident,
  outcome: Outcome,
  path: string,
  response: ServerResponse,
): Promise<void> {
  const isEvent = path.includes("/eventos");
  switch (incident.kind) {
    case "drop_after":
      response.socket?.destroy();
      return;
    case "drop_halfway": {
      const text = Buffer.from(JSON.stringify(outcome.body));
      response.writeHead(outcome.status, { "content-type": "application/json", "content-length": text.length });
      response.write(text.subarray(0, text.length / 2), () => response.socket?.destroy());
      return;
    }
    case "error_after":
      return send(response, refusal(500, isEvent ? "erro" : "erros", "E9999", "Erro interno"));
    case "garbage":
      response.writeHead(outcome.status, { "content-type": "application/json" }).end('<html>{"chaveAcesso": ');
      return;
    case "gzip_bomb": {
      const bomb = (await promisify(gzip)(Buffer.alloc(BOMB_BYTES, " "))).toString("base64");
      return send(response, {
        status: outcome.status,
        body: { [isEvent ? "eventoXmlGZipB64" : "nfseXmlGZipB64"]: bomb },
      });
    }
    case "slow_drip":
      return drip(response, outcome, incident.ms);
    default:
      return send(response, outcome);
  }
}

async function drip(response: ServerResponse, { status, body }: Outcome, ms: number): Promise<void> {
  response.writeHead(status, { "content-type": "application/json" });
  for (const byte of Buffer.from(JSON.stringify(body))) {
    if (response.destroyed) return;
    response.write(Buffer.from([byte]));
    await new Promise((resolve) => setTimeout(resolve, ms));
  }
  response.end();
}

/** Errors in the tax authority's form: a list under `erros`, of which `erro` has the first alone when there is one. */
function refusals(
  status: number,
  member: "erro" | "erros",
  errors: readonly AuthorityError[],
  dpsId?: string,
): Outcome {
  const listed = errors.map(({ code, message, complement }) => ({
    codigo: code,
    descricao: message,
    ...(complement !== null && { complemento: complement }),
  }));
  const content = member === "erro" && listed.length === 1 ? listed[0] : listed;
  return { status, body: { ...(dpsId !== undefined && { idDPS: dpsId }), [member]: content } };
}

const refusal = (status: number, member: "erro" | "erros", code: string, message: string, dpsId?: string): Outcome =>
  refusals(status, member, [{ code, message, complement: null }], dpsId);

function send(response: ServerResponse, { status, body }: Outcome, headers: Record<string, string> = {}): void {
  response
    .writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers })
    .end(JSON.stringify(body));
}

const dpsIdIn = (path: string) => /^\/dps\/(DPS\d{42})$/.exec(path)?.[1] ?? null;

function memberOf(body: string, member: string): unknown {
  try {
    return z.record(z.string(), z.unknown()).safeParse(JSON.parse(body)).data?.[member];
  } catch {
    return undefined;
  }
}

interface ControlParts {
  readonly scenarios: Scenarios;
  readonly requests: readonly SimulatedRequest[];
  readonly documents: DocumentsFolder;
}

async function controlAnswer(request: IncomingMessage, response: ServerResponse, parts: ControlParts): Promise<void> {
  const body = await readBody(request);
  const asked = `${request.method} ${request.url}`;
  if (asked === "GET /requests") return send(response, { status: 200, body: parts.requests });
  if (asked === "GET /nfse") return send(response, { status: 200, body: parts.documents.counts() });
  if (asked !== "POST /scenario") return send(response, { status: 404, body: {} });
  let given: unknown;
  try {
    given = JSON.parse(body);
  } catch {
    return send(response, { status: 400, body: { message: "not JSON" } });
  }
  const read = scenario.safeParse(given);
  if (!read.success) return send(response, { status: 422, body: { message: read.error.message } });
  parts.scenarios.set(read.data);
  return send(response, { status: 200, body: { steps: read.data.next.length } });
}

/** A listener that answers 500 for what it throws. */
function answering(answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>): RequestListener {
  return (request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (response.headersSent || response.destroyed) return response.destroy();
      return send(response, { status: 500, body: { mensagem: error instanceof Error ? error.message : "erro" } });
    });
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BODY_BYTES) throw new Error("the request is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function listen(server: Server | https.Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

const portOf = (server: Server | https.Server) => (server.address() as AddressInfo).port;

const keptKeys = z.strictObject({ certificate: z.string(), privateKey: z.string() });

/** The keys of the folder; made at the first start. */
async function loadKeys(folder: string, hosts: readonly string[], now: Date): Promise<Keys> {
  const load = async (name: string, make: () => Promise<TaxIdentity>): Promise<TaxIdentity> => {
    const path = join(folder, `${name}.json`);
    const kept = readIfPresent(path);
    if (kept !== null) return keptKeys.parse(JSON.parse(kept));
    const made = await make();
    writeWhole(path, JSON.stringify(made));
    return made;
  };
  const authority = await load("authority", () => makeAuthority(now));
  const [server, signer] = await Promise.all([
    load("server", () => makeCertificate(authority, "Selo simulator", now, hosts)),
    load("signer", () => makeCertificate(authority, "Sefin Nacional simulada", now)),
  ]);
  let stranger: Promise<TaxIdentity> | null = null;
  return {
    authority,
    server,
    signer,
    stranger: () => {
      stranger ??= makeAuthority(now);
      return stranger;
    },
  };
}
