import type { ReactElement } from "react";
import { CheckList } from "../design/check-list.tsx";
import { Fact, FactList } from "../design/fact-list.tsx";
import { Icon } from "../design/icon.tsx";
import QrCode from "../design/qr-code.tsx";
import { Skeleton } from "../design/skeleton.tsx";
import { Comparison } from "../verify/comparison.tsx";
import { Limits } from "../verify/limits.tsx";
import { Share } from "../verify/share.tsx";
import { en } from "../verify/words-en.ts";
import { Card } from "./card.tsx";
import { CLAIM, CODE, FINGERPRINT, LONG_NAME, RECORD } from "./samples.ts";

/** What stands beside a verdict. */
export function Side(): ReactElement {
  return (
    <div className="side">
      <Limits words={en.limits} isTest={false} />
      <Limits id="limits-of-a-test" words={en.limits} isTest />
      <Share words={en.share} code={CODE} address={`https://selo.example/verify/${CODE}`} Picture={QrCode} />
      <Card title="Skeleton">
        <Skeleton bones={["third", "", "half", "tall"]} />
        <p aria-hidden="true">
          <span className="blank">The place of a text</span>
        </p>
      </Card>
    </div>
  );
}

export function Facts(): ReactElement {
  return (
    <Card title="Facts" kind="">
      <FactList>
        <Fact term="Fingerprint (SHA-256)">
          <span className="print">{FINGERPRINT}</span>
        </Fact>
        <Fact term="Verification code">
          <span className="code">GNS2-HPXT-CF41</span>
        </Fact>
        <Fact term="Name of the file">{LONG_NAME}</Fact>
      </FactList>
    </Card>
  );
}

/** The groups of checks, as {@link CheckList} shows them. */
const CHECKS = (
  [
    ["File", "ok", "Matches"],
    ["Signatures", "info", "Pending"],
    ["Record", "bad", "Does not match"],
  ] as const
).map(([title, tone, word]) => ({
  name: title,
  title,
  tone,
  word,
  summary: "What this group came to, in one sentence.",
  lines: [
    { name: null, tone, text: "One check of the group." },
    { name: null, tone: "note", text: "A remark." },
  ] as const,
}));

export function Checks(): ReactElement {
  return <CheckList title={en.checks.heading} groups={CHECKS} />;
}

/** What a forged receipt claims, beside what was registered. */
export function Claims(): ReactElement {
  return (
    <Comparison
      words={en}
      language="en"
      document={en.facts.receipt}
      receipt={CLAIM}
      record={RECORD}
      differing={["organization", "file_name"]}
    />
  );
}

export function Code(): ReactElement {
  return (
    <Card title="Code and note">
      <figure className="sample">
        <figcaption>A sample</figcaption>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
        <pre tabIndex={0}>
          <code>
            <span className="c"># A comment</span>
            {"\n"}
            <span className="k">curl</span> <span className="s">"https://selo.example/api/v1/public/platform-key"</span>{" "}
            --output keys.json --fail-with-body
          </code>
        </pre>
      </figure>
      <p className="note">
        <Icon tone="note" /> <span>A note beside the text.</span>
      </p>
    </Card>
  );
}
