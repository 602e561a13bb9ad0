import type { AttachmentWords } from '../../src/lib/attachments/attachment-words.ts'
import { ApiFailure } from '../../src/lib/browser-client/failure.ts'

/** Texts of files beside messages, each of which names itself. */
export const WORDS: AttachmentWords = {
  locale: 'en',
  attach: 'attach',
  rule: 'rule',
  files: 'files',
  remove: (name) => `remove ${name}`,
  cancel: (name) => `cancel ${name}`,
  retry: (name) => `retry ${name}`,
  uploading: (name) => `uploading ${name}`,
  uploaded: (name) => `uploaded ${name}`,
  gone: 'gone',
  removed: 'removed',
  full: 'full',
  faults: { 'too large': 'too large', empty: 'empty', kind: 'kind', unreadable: 'unreadable' },
  obstacles: { uploading: 'still uploading', failed: 'some failed' },
  failure: (failure) => `refused: ${failure instanceof ApiFailure ? failure.code : 'unknown'}`,
  open: (name) => `open ${name}`,
  save: (name) => `save ${name}`,
  unshown: 'unshown',
  again: 'again',
}
