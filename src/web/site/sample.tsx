import type { ReactElement } from "react";
import { Code, type Highlight } from "./code.tsx";
import type { LandingWords } from "./landing-words.ts";

/** Four files with which anyone can verify a proof at once, on any deployment and without a network. */
const FILES = ["/selo-verify.mjs", "/sample/contract.txt", "/sample/evidence.json", "/sample/keys.json"];
const COMMAND = "node selo-verify.mjs contract.txt --evidence evidence.json --keys keys.json";

interface SampleProps {
  readonly say: LandingWords["how"]["sample"];
  readonly highlight: Highlight;
}

export function Sample({ say, highlight }: SampleProps): ReactElement {
  return (
    <div className="offline" id="sample">
      <h3>{say.heading}</h3>
      <p>{say.text}</p>
      <ul className="row">
        {FILES.map((href) => (
          <li key={href}>
            <a href={href} download>
              <code>{href.split("/").at(-1)}</code>
            </a>
          </li>
        ))}
      </ul>
      <Code html={highlight(COMMAND, "sh")} />
      <p className="small quiet">{say.keys}</p>
    </div>
  );
}
