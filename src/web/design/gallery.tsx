import type { ReactElement, ReactNode } from "react";
import type { StaticPage } from "../site/static-page.ts";
import { CheckList } from "./check-list.tsx";
import { Fact, FactList } from "./fact-list.tsx";
import { FileRow } from "./file-row.tsx";
import { galleryVerdicts } from "./gallery-verdicts.tsx";
import { Icon, type Tone } from "./icon.tsx";
import { Mark } from "./mark.tsx";
import QrCode from "./qr-code.tsx";
import { Skeleton } from "./skeleton.tsx";

const TONES: readonly Tone[] = ["ok", "bad", "warn", "info", "note"];
/** The colours of tokens.css that have one value in a theme. */
const COLOURS =
  "canvas surface sunken ink ink-2 ink-3 line line-strong brand brand-soft on-brand ok ok-soft warn warn-soft bad bad-soft info info-soft paper paper-ink".split(
    " ",
  );
const FINGERPRINT = "506ad2e50c15dde3c1e09c770aa4e043ee9111ef4eb6fd40a0845676855bfae4";
/** A page of the build has no handlers. */
const nothing = () => {};
const LONG_NAME = `${"a-name-without-a-place-to-break-".repeat(4)}.pdf`;

/** Every component of the design in each of its states: /dev/design, for people who develop. */
export const gallery: StaticPage = {
  name: "design",
  path: null, // served by designPlugin, in development only
  languages: ["en"],
  isPrivate: true,
  title: () => "Components · Selo",
  description: () => "Every component of the design in each of its states",
  content: () => <Gallery />,
};

function Gallery(): ReactElement {
  return (
    <>
      <div className="page ask">
        <div>
          <h1>Components</h1>
          <p className="lead">Every component of the design in each of its states. Only development shows this page.</p>
        </div>
      </div>
      {galleryVerdicts()}
      <div className="page columns">
        <div className="side">
          <Limits />
          <Share />
          <Bones />
        </div>
        <Colours />
        <Type />
        <Signs />
        <Buttons />
        <Fields />
        <DropZones />
        <Files />
        <Facts />
        <CheckList title="Checks" groups={CHECKS} />
        <Compare />
        <Code />
      </div>
    </>
  );
}

/** A card of the gallery: a component's name and its states. */
function Card({
  title,
  kind = "stack",
  children,
}: {
  title: string;
  kind?: string;
  children: ReactNode;
}): ReactElement {
  return (
    <section className={`card ${kind}`} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Colours(): ReactElement {
  return (
    <Card title="Colours">
      <ul className="row">
        {COLOURS.map((name) => (
          <li key={name} className="row small" data-token={name}>
            <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
              <rect x="1" y="1" width="18" height="18" rx="4" fill={`var(--${name})`} stroke="var(--line-strong)" />
            </svg>
            <span className="mono">{name}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Type(): ReactElement {
  return (
    <Card title="Type">
      <h3>Heading of a part</h3>
      <p>
        Text with <b>what matters</b>, <code>code</code>, <a href="/verify">a link to /verify</a> and a{" "}
        <span className="code">GNS2-HPXT-CF41</span>.
      </p>
      <p className="quiet">Quiet text</p>
      <p className="small">Small text</p>
      <p className="small quiet">Small, quiet text</p>
      <p className="print">{FINGERPRINT}</p>
    </Card>
  );
}

function Signs(): ReactElement {
  return (
    <Card title="Mark, icons and tags">
      <p className="row">
        <Mark size={24} /> <Mark size={28} /> <Mark size={40} />
        <span className="brand">
          <Mark size={28} /> Selo
        </span>
      </p>
      {([16, 20, 24, 28] as const).map((size) => (
        <p key={size} className="row">
          {TONES.map((tone) => (
            <span key={tone} className="row">
              <Icon tone={tone} size={size} /> {tone}
            </span>
          ))}
        </p>
      ))}
      <p className="row">
        <span className="tag">Tag</span>
        {TONES.filter((tone) => tone !== "note").map((tone) => (
          <span key={tone} className={`tag ${tone}`}>
            <Icon tone={tone} size={16} /> {tone}
          </span>
        ))}
      </p>
    </Card>
  );
}

function Buttons(): ReactElement {
  const kinds = ["main", "", "slim", "plain", "plain slim"];
  return (
    <Card title="Buttons">
      <p className="row">
        {kinds.map((kind) => (
          <button key={kind} type="button" className={`button ${kind}`.trim()}>
            {kind || "Button"}
          </button>
        ))}
      </p>
      <p className="row">
        {kinds.map((kind) => (
          <button key={kind} type="button" className={`button ${kind}`.trim()} disabled>
            {`${kind} disabled`.trim()}
          </button>
        ))}
      </p>
      <p className="row">
        <a className="button" href="/verify">
          To /verify
        </a>
        <button type="button" className="button">
          {LONG_NAME}
        </button>
      </p>
    </Card>
  );
}

function Fields(): ReactElement {
  return (
    <Card title="Fields">
      <div className="field">
        <label htmlFor="field">With a hint</label>
        <p className="small quiet" id="field-hint">
          12 letters and digits, as on the receipt.
        </p>
        <div className="row">
          <input id="field" aria-describedby="field-hint" autoComplete="off" />
          <button type="button" className="button main">
            Verify
          </button>
        </div>
      </div>
      <div className="field">
        <label htmlFor="field-error">With an error in place of the hint</label>
        <p className="field-error" id="field-error-text">
          <Icon tone="bad" /> The code has 12 letters and digits, and this one has 5.
        </p>
        <div className="row">
          <input
            id="field-error"
            aria-describedby="field-error-text"
            aria-invalid="true"
            defaultValue="GNS2-H"
            autoComplete="off"
          />
          <button type="button" className="button main">
            Verify
          </button>
        </div>
      </div>
      <div className="field">
        <label htmlFor="field-text">For text in place of a code</label>
        <input id="field-text" className="text" defaultValue="contract.pdf" autoComplete="off" />
      </div>
      <p className="or">or</p>
    </Card>
  );
}

function DropZones(): ReactElement {
  return (
    <Card title="Drop zones">
      {["drop first", "drop", "drop over"].map((kind) => (
        <div key={kind} className={kind}>
          <strong>{kind === "drop first" ? "Drop your file here" : "Drop another file or a receipt here"}</strong>
          <p className="small quiet">It does not leave this device.</p>
          <label className={kind === "drop first" ? "button main" : "button"} htmlFor={kind.replace(" ", "-")}>
            Choose a file
          </label>
          <input className="out-of-sight" id={kind.replace(" ", "-")} type="file" />
        </div>
      ))}
    </Card>
  );
}

function Files(): ReactElement {
  const files = [
    ["contract.pdf", "ok", "Matches"],
    ["other.pdf", "bad", "Does not match"],
    ["large.iso", "info", "Pending"],
    [LONG_NAME, "ok", "Matches"],
  ] as const;
  return (
    <Card title="File rows" kind="inputs">
      {files.map(([name, tone, word]) => (
        <FileRow key={name} name={name} tone={tone} word={word} remove="Remove" onRemove={nothing} />
      ))}
    </Card>
  );
}

function Facts(): ReactElement {
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

function Compare(): ReactElement {
  const rows: readonly (readonly [string, string, string])[] = [
    ["Organization", "Acme Ltda", "Acme Limitada"],
    ["Date and time", "21 November 2026, 22:23", "21 November 2026, 22:23"],
  ];
  return (
    <Card title="Claimed beside recorded" kind="">
      <table className="compare">
        <thead>
          <tr>
            <th scope="col">Fact</th>
            <th scope="col">The receipt says</th>
            <th scope="col">Recorded</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, claimed, recorded]) => (
            <tr key={name} className={claimed === recorded ? undefined : "differs"}>
              <th scope="row">{name}</th>
              <td data-label="The receipt says">{claimed === recorded ? claimed : <s>{claimed}</s>}</td>
              <td data-label="Recorded">{recorded}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function Code(): ReactElement {
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

function Limits(): ReactElement {
  return (
    <Card title="What this does not prove" kind="limits">
      <ul>
        <li>Who wrote the file, or whether what it says is true.</li>
        <li>
          That somebody signed it or agrees with it, <span className="nowrap">byte for byte</span>.
        </li>
      </ul>
    </Card>
  );
}

function Share(): ReactElement {
  return (
    <Card title="Hand it on" kind="share">
      <p className="code">GNS2-HPXT-CF41</p>
      <p className="small quiet">A camera that reads the code opens this record.</p>
      <QrCode text="https://selo.example/verify/GNS2-HPXT-CF41" />
    </Card>
  );
}

function Bones(): ReactElement {
  return (
    <Card title="Skeleton">
      <Skeleton bones={["third", "", "half", "tall"]} />
    </Card>
  );
}
