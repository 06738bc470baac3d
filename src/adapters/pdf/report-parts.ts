/** The sections of an evidence report, each a list of blocks that pages may part. */
import { light } from "../generated/design-tokens.ts";
import type { Block } from "./blocks.ts";
import { space, style } from "./page-measures.ts";
import { bold, ours, sans } from "./receipt-parts.ts";
import type { Act, Hand, ReportParticipant, Step } from "./report-content.ts";
import {
  code,
  digits,
  heading,
  paragraph,
  plain,
  type ReportTools,
  rows,
  signatureBox,
  spoken,
  utc,
  type Value,
} from "./report-tools.ts";

/** Organization, title and state. */
export function summary(tools: ReportTools): Block[] {
  const { content, texts } = tools;
  const isDone = content.status === "completed";
  return [
    paragraph(tools, [bold(texts.states[content.status] ?? content.status)], {
      ...style("type-16", isDone ? light.ok : light.bad),
    }),
    ...rows(tools, [
      [texts.organization, [plain(content.organization)]],
      [texts.envelope, [code(content.envelopeId)]],
      [texts.sent, [plain(spoken(tools, content.sentAt)), utc(content.sentAt)]],
      content.completedAt === null
        ? [texts.deadline, [plain(spoken(tools, content.expiresAt)), utc(content.expiresAt)]]
        : [texts.completed, [plain(spoken(tools, content.completedAt)), utc(content.completedAt)]],
    ]),
  ];
}

export function documents(tools: ReportTools): Block[] {
  const { content, texts } = tools;
  return [
    heading(tools, texts.documents),
    ...content.documents.flatMap(({ fileName, pages, sha256, finalSha256 }, index) => [
      paragraph(tools, [bold(`${index + 1}. `), bold(fileName), sans(` (${texts.pages(pages)})`)], {}, true),
      ...rows(tools, [
        [texts.before, digits(sha256)],
        [texts.after, finalSha256 === null ? [plain(texts.noFinal)] : digits(finalSha256)],
      ]),
    ]),
  ];
}

export function participants(tools: ReportTools): Block[] {
  const { content, texts } = tools;
  return [
    heading(tools, texts.participants),
    ...content.participants.flatMap((each, index) => participant(tools, each, index + 1)),
  ];
}

function participant(tools: ReportTools, given: ReportParticipant, number: number): Block[] {
  const { texts } = tools;
  const { role, modality, status, declineReason, erasedAt, act, values } = given;
  const name = given.name ?? texts.erased;
  const title = paragraph(tools, [bold(`${number}. `), bold(name)], { ...style("type-14") }, true);
  return [
    { ...title, before: number === 1 ? title.before : space("s-16") },
    ...rows(tools, [
      [texts.email, [plain(given.email ?? texts.erased)]],
      [texts.role, [plain(texts.roles[role] ?? role)]],
      // An observer signs nothing.
      ...(role === "observador" ? [] : [[texts.modality, [plain(texts.modalities[modality] ?? modality)]] as const]),
      ...(act === null
        ? [[texts.status, [plain(texts.participantStates[status] ?? status)]] as const]
        : rowsOfAct(tools, act)),
      ...(declineReason === null ? [] : [[texts.reason, [plain(declineReason)]] as const]),
      ...(erasedAt === null
        ? []
        : [[texts.personalData, [plain(texts.erasedOn(spoken(tools, erasedAt))), utc(erasedAt)]] as const]),
      ...values.map((each) => [each.label ?? texts.fieldTypes[each.type] ?? each.type, valuesOf(tools, each)] as const),
    ]),
    ...(act?.signature == null ? [] : [signatureBox(tools, name, act.signature)]),
  ];
}

function rowsOfAct(tools: ReportTools, act: Act): (readonly [string, readonly Value[]])[] {
  const { texts } = tools;
  return [
    [texts.actions[act.action] ?? act.action, [plain(spoken(tools, act.at)), utc(act.at)]],
    [
      texts.identified,
      act.authentication.flatMap(({ method, at, reference }) => [
        plain(texts.methods[method]?.(spoken(tools, at), reference) ?? method),
        utc(at),
      ]),
    ],
    ...certificateRows(tools, act),
    [texts.consent, [plain(texts.consentOf(act.consent.version, act.consent.language)), ...digits(act.consent.sha256)]],
    [texts.record, [code(act.recordId), ...act.keyIds.map(code)]],
  ];
}

function certificateRows({ texts }: ReportTools, { certificate }: Act): (readonly [string, readonly Value[]])[] {
  if (certificate === null) return [];
  const { name, cpf, issuer, isNamed, isChecked, sha256 } = certificate;
  return [
    [
      texts.certificate,
      [
        ...(name === null ? [] : [plain([name, ...(cpf === null ? [] : [`CPF ${cpf}`])].join(", "))]),
        ...(issuer === null ? [] : [plain(texts.issuedBy(issuer))]),
        ...(isNamed ? [] : [plain(texts.otherName)]),
        plain(isChecked ? texts.notRevoked : texts.notChecked),
        ...digits(sha256),
      ],
    ],
  ];
}

function valuesOf(
  { texts }: ReportTools,
  { value, fileName, page, sha256, size }: ReportParticipant["values"][number],
): Value[] {
  const text =
    value === null ? texts.erased : typeof value === "string" ? value : value ? texts.ticked : texts.notTicked;
  // A text of several lines is shown in one.
  const shown = plain(text.replaceAll(/\r?\n|\r/g, " ↵ "));
  const file = sha256 == null || size == null ? [] : [plain(texts.fileSize(size)), ...digits(sha256)];
  return [shown, ...file, { spans: [ours(texts.place(fileName, page))], setting: { color: light["ink-2"] } }];
}

export function consents(tools: ReportTools): Block[] {
  const { content, texts } = tools;
  if (content.consents.length === 0) return [];
  return [
    heading(tools, texts.consents),
    paragraph(tools, [sans(texts.aboutConsents)], {}, true),
    ...content.consents.flatMap(({ version, language, sha256, text }) => [
      paragraph(tools, [bold(`${version} (${language})`)], {}, true),
      paragraph(tools, [sans(text ?? "–")], {}, true),
      paragraph(tools, [{ text: sha256, face: "mono" }], { mostLines: 1 }),
    ]),
  ];
}

/** Every step of the envelope's chain, and its head. */
export function history(tools: ReportTools): Block[] {
  const { content, texts } = tools;
  return [
    heading(tools, texts.history),
    paragraph(tools, [sans(texts.aboutHistory)], {}, true),
    ...rows(
      tools,
      content.steps.map((step) => [
        `${step.seq}.`,
        [
          { spans: [ours(inWords(tools, step)), sans(` · ${texts.by} `), sans(whoDid(tools, step))] },
          plain(spoken(tools, step.at), { color: light["ink-2"], mostLines: 1 }),
          utc(step.at),
        ],
      ]),
    ),
    ...rows(tools, [[texts.head(content.steps.length), digits(content.headHash)]]),
  ];
}

function inWords(tools: ReportTools, { seq, action, details }: Step): string {
  const { content, texts } = tools;
  const participantId = details["participant_id"];
  const file = content.documents.find(({ id }) => id === details["document_id"]);
  const hand = content.hands.find((each) => each.seq === seq);
  const named = {
    name: nameAfter(tools, participantId, seq) ?? texts.removed,
    file: file?.fileName ?? texts.removed,
    isLinkNew: details["new_link"] !== false,
    before: personOf(tools, hand?.before),
    after: personOf(tools, hand?.after),
  };
  return texts.steps[action]?.(named) ?? action;
}

function whoDid(tools: ReportTools, { seq, actor }: Step): string {
  const { texts } = tools;
  // The event says it of the person who was there before.
  return nameAfter(tools, actor.id, seq - 1) ?? texts.actors[actor.type] ?? actor.type;
}

/** The name of who was in the place of a participant after an event; null for who is no participant. */
function nameAfter({ content, texts }: ReportTools, participantId: unknown, seq: number): string | null {
  const participant = content.participants.find(({ id }) => id === participantId);
  if (participant === undefined) return null;
  const next = content.hands.find((hand) => hand.participantId === participantId && hand.seq > seq);
  return (next === undefined ? participant.name : next.before.name) ?? texts.erased;
}

function personOf({ texts }: ReportTools, person: Hand["before"] | undefined): string {
  const name = person?.name ?? texts.erased;
  return person?.email == null ? name : `${name} (${person.email})`;
}

/** The signatures of the platform, and what a reader does to verify. */
export function verification(tools: ReportTools): Block[] {
  const { content, texts } = tools;
  const { completion } = content;
  return [
    heading(tools, texts.signatures),
    paragraph(tools, [sans(texts.aboutSignatures)]),
    ...(completion === null
      ? [paragraph(tools, [sans(texts.notSigned)])]
      : rows(tools, [
          [texts.completionDigest, digits(completion.sha256)],
          ...completion.signatures.flatMap(({ algorithm, keyId, sha256 }) => [
            [texts.key(algorithm), [code(keyId)]] as const,
            [texts.digestOf(algorithm), digits(sha256)] as const,
          ]),
          ...(completion.hasTimeStamps ? [[texts.timeStamps, [plain(texts.stamped)]] as const] : []),
        ])),
    heading(tools, texts.howToVerify),
    ...texts.instructions.map((text, index) => paragraph(tools, [sans(`${index + 1}. ${text}`)])),
  ];
}
