import type { FileFault } from './judge-file.ts'

/** The texts of files beside messages. Site and admin keep theirs in different places. */
export type AttachmentWords = {
  readonly locale: string
  /** The button. */
  readonly attach: string
  /** The kinds and sizes of files that can be attached. */
  readonly rule: string
  /** The list of a message's files. */
  readonly files: string
  readonly remove: (name: string) => string
  readonly cancel: (name: string) => string
  readonly retry: (name: string) => string
  readonly uploading: (name: string) => string
  readonly uploaded: (name: string) => string
  /** A file that the site no longer has, before and after it was sent. */
  readonly gone: string
  readonly removed: string
  readonly full: string
  readonly faults: Readonly<Record<FileFault, string>>
  readonly obstacles: Readonly<Record<'uploading' | 'failed', string>>
  /** Why the site refused something. */
  readonly failure: (failure: unknown) => string
  readonly open: (name: string) => string
  readonly save: (name: string) => string
  /** A picture that the browser cannot show. */
  readonly unshown: string
  readonly again: string
}
