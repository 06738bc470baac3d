/** There is no usable time stamp. The message says why, and has nothing of the authority's address. */
export class TimeStampFailed extends Error {
  override readonly name = "TimeStampFailed";
}
