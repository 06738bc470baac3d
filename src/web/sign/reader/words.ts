import type { AttachmentFault } from "./attachment.ts";
import type { Fault, FieldType } from "./fields.ts";

/** The words of the reader, of the panel of fields and of the signature. */
export interface ReaderWords {
  readonly decimal: "," | ".";
  readonly reader: {
    readonly toolbar: string;
    readonly previousPage: string;
    readonly nextPage: string;
    readonly page: string;
    readonly pageOfDocument: string;
    readonly smaller: string;
    readonly larger: string;
    readonly zoom: string;
    readonly download: string;
    readonly loading: string;
    readonly unreadable: string;
    readonly unreadablePage: string;
    readonly unreachable: string;
    readonly notDownloaded: string;
    readonly again: string;
    readonly downloadFile: string;
  };
  readonly marks: {
    readonly asked: string;
    readonly filled: string;
    readonly ticked: string;
    readonly current: string;
    readonly byServer: Readonly<
      Record<"nome" | "data" | "cpf" | "assinatura" | "rubrica" | "calculado" | "other", string>
    >;
  };
  readonly panel: {
    readonly heading: string;
    readonly place: string;
    /** Of a calculated field, with `{page}`. */
    readonly calculation: string;
    readonly calculated: string;
    readonly toChange: string;
    readonly attachment: {
      readonly hint: string;
      readonly choose: string;
      readonly another: string;
      readonly change: string;
      readonly cancel: string;
      readonly again: string;
      /** With `{sent}` and `{size}`. */
      readonly sending: string;
      readonly ready: string;
      /** With `{size}`. */
      readonly readyOfSize: string;
      readonly note: string;
      /** With `{file}`, and `{size}` where it is too large. */
      readonly faults: Readonly<Record<AttachmentFault, string>>;
      readonly help: Readonly<Record<AttachmentFault, string>>;
    };
    readonly noNumber: string;
    readonly noneLeft: string;
    readonly oneLeft: string;
    readonly left: string;
    readonly oneHere: string;
    readonly here: string;
    readonly noneHere: string;
    readonly goToNext: string;
    readonly previous: string;
    readonly next: string;
    readonly done: string;
    readonly doneNothingAsked: string;
    readonly nothingAsked: string;
    readonly optional: string;
    readonly mustTick: string;
    readonly tick: string;
    readonly leaveEmpty: string;
    /** With `{page}`, as some of `types`. */
    readonly ticking: string;
    readonly writtenAs: string;
    readonly types: Readonly<Record<FieldType, string>>;
    readonly hints: Readonly<Partial<Record<FieldType, string>>>;
    readonly faults: Readonly<Record<Fault, string>>;
    readonly missingOf: Readonly<Partial<Record<FieldType, string>>>;
    readonly byServer: string;
  };
  readonly signature: {
    readonly how: string;
    readonly draw: string;
    readonly type: string;
    readonly area: string;
    readonly drawn: string;
    readonly empty: string;
    readonly clear: string;
    readonly undo: string;
    readonly nameLabel: string;
    readonly preview: string;
    readonly tooShort: string;
  };
}
