// Loaded before everything else into a process whose clock is to be wrong, by CLOCK_SHIFT_MS.
const shift = Number(process.env.CLOCK_SHIFT_MS);
const RightDate = Date;
globalThis.Date = class extends RightDate {
  constructor(...given) {
    if (given.length === 0) super(RightDate.now() + shift);
    else super(...given);
  }
  static now() {
    return RightDate.now() + shift;
  }
};
