import type { ReactElement } from "react";
import { Icon, type Tone } from "../design/icon.tsx";
import { Mark } from "../design/mark.tsx";
import { Card } from "./card.tsx";
import { FINGERPRINT, LONG_NAME } from "./samples.ts";

const TONES: readonly Tone[] = ["ok", "bad", "warn", "info", "note"];
/** The colours of tokens.css that have one value in a theme. */
const COLOURS =
  "canvas surface sunken ink ink-2 ink-3 line line-strong brand brand-soft on-brand ok ok-soft warn warn-soft bad bad-soft info info-soft paper paper-ink paper-brand paper-brand-soft".split(
    " ",
  );

export function Colours(): ReactElement {
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

export function Type(): ReactElement {
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

export function Signs(): ReactElement {
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

export function Buttons(): ReactElement {
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
