/** The words of handing the turn to somebody else. They are loaded with its steps. */
export interface DelegateWords {
  readonly heading: string;
  readonly lead: string;
  readonly name: string;
  readonly email: string;
  readonly cpf: string;
  /** What the number is for. */
  readonly cpfHint: string;
  readonly phone: string;
  readonly phoneHint: string;
  readonly noName: string;
  readonly wrongName: string;
  readonly wrongEmail: string;
  readonly ownEmail: string;
  readonly wrongCpf: string;
  readonly wrongPhone: string;
  readonly stays: string;
  /** With `{organization}`, where it has an address to which mails go. */
  readonly noticed: string;
  readonly submit: string;
  readonly back: string;
  readonly confirm: {
    /** With `{name}`. */
    readonly heading: string;
    readonly document: string;
    readonly to: string;
    readonly linkEnds: string;
    readonly final: string;
    /** With `{name}`. */
    readonly submit: string;
    readonly correct: string;
  };
  readonly done: {
    /** With `{name}`. */
    readonly heading: string;
    /** With `{title}` and `{email}`. */
    readonly sentence: string;
    /** After a reload, when nothing of it is known any more. */
    readonly headingBefore: string;
    readonly sentenceBefore: string;
    readonly next: string;
    /** With `{organization}`, where it has such an address. */
    readonly told: string;
    readonly linkEnds: string;
    readonly report: string;
    /** With `{sender}`. */
    readonly mistake: string;
    /** With `{when}`. */
    readonly recorded: string;
    readonly close: string;
  };
}
