/** Where ids and secrets come from. */
export interface Ids {
  /** A new uuid of version 7. */
  next(): string
  /** `length` unpredictable bytes. */
  bytes(length: number): Uint8Array
}
