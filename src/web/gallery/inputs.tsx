import type { ReactElement } from "react";
import { FileRow } from "../design/file-row.tsx";
import { CodeForm } from "../shell/code-form.tsx";
import { shellWords } from "../shell/words.ts";
import { DropZone } from "../verify/drop-zone.tsx";
import { NameForm } from "../verify/name-form.tsx";
import { en } from "../verify/words-en.ts";
import { Card } from "./card.tsx";
import { CODE, LONG_NAME } from "./samples.ts";

/** A page of the build has no handlers. */
const nothing = () => {};

export function Fields(): ReactElement {
  const words = shellWords.en.code;
  return (
    <>
      <Card title="Code, with a hint, and with an error in its place">
        <CodeForm words={words} onCode={nothing} />
        <p className="or">{en.or}</p>
        <CodeForm id="wrong-code" words={words} wrongCode={CODE} onCode={nothing} />
      </Card>
      <NameForm words={en.naming} name="contract.pdf" wasTried={false} onName={nothing} />
    </>
  );
}

export function DropZones(): ReactElement {
  const { dropYours, dropOther, privacy, choose } = en.inputs;
  const common = { text: privacy, choose, isFirst: false, isOver: false, onFiles: nothing };
  return (
    <Card title="Drop zones">
      <DropZone {...common} id="pick-first" heading={dropYours} isFirst />
      <DropZone {...common} id="pick-other" heading={dropOther} />
      <DropZone {...common} id="pick-over" heading={dropOther} isOver />
    </Card>
  );
}

export function Files(): ReactElement {
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
