import { pictureFormat, type PictureFormat } from '../users/picture.ts'

/**
 * The limits of files that are attached to messages (clarifications part 6), in pieces, bytes and UTF-16 units. `unsent` is how many
 * somebody may have uploaded that belong to no message yet; those go after a day. `perAccount` is how many bytes the files of one account
 * may have together that it added within `ATTACHMENT_WINDOW_MS`.
 */
export const ATTACHMENT_BOUNDS = {
  perMessage: 5,
  bytes: 10 * 1_024 * 1_024,
  name: 120,
  unsent: 10,
  perAccount: 500 * 1_024 * 1_024,
} as const
export const ATTACHMENT_WINDOW_MS = 30 * 86_400_000
/** For how long an uploaded file can be sent with a message, in milliseconds. */
export const ATTACHMENT_WAITS_MS = 86_400_000

export const ATTACHMENT_KINDS = ['picture', 'text', 'archive'] as const
export type AttachmentKind = (typeof ATTACHMENT_KINDS)[number]

/**
 * The kind of a file, by its bytes: never by its name. `endings` are those that its name may keep; the first is given
 * to any other.
 */
export type AttachmentContent = {
  readonly kind: AttachmentKind
  readonly mediaType: string
  readonly endings: readonly string[]
}

const PICTURES: Readonly<Record<PictureFormat, AttachmentContent>> = {
  png: { kind: 'picture', mediaType: 'image/png', endings: ['png'] },
  jpeg: { kind: 'picture', mediaType: 'image/jpeg', endings: ['jpg', 'jpeg'] },
  webp: { kind: 'picture', mediaType: 'image/webp', endings: ['webp'] },
}
const ARCHIVE: AttachmentContent = { kind: 'archive', mediaType: 'application/zip', endings: ['zip'] }
const TEXT_ENDINGS = 'txt log json json5 yml yaml properties toml ini cfg conf config md csv mcmeta snbt lang'
const TEXT: AttachmentContent = {
  kind: 'text',
  mediaType: 'text/plain; charset=utf-8',
  endings: TEXT_ENDINGS.split(' '),
}

/** A file with at least one entry, or an empty one. */
const ZIP_SIGNATURES = [
  [0x50, 0x4b, 0x03, 0x04],
  [0x50, 0x4b, 0x05, 0x06],
]

const isText = (bytes: Uint8Array): boolean => {
  if (bytes.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/**
 * The kind of a file's bytes: a picture, a zip archive, or text in UTF-8 without NUL; null for everything else, and for
 * nothing.
 */
export const attachmentContent = (bytes: Uint8Array): AttachmentContent | null => {
  if (bytes.length === 0) return null
  const format = pictureFormat(bytes)
  if (format !== null) return PICTURES[format]
  if (ZIP_SIGNATURES.some((signature) => signature.every((byte, at) => bytes[at] === byte))) return ARCHIVE
  return isText(bytes) ? TEXT : null
}

/** The refusal of a file by what a virus scanner says of it (decision 102); null for a clean one. */
export const refusalOfScan = (
  verdict: 'clean' | 'infected' | 'too-large',
): 'ATTACHMENT_INFECTED' | 'ATTACHMENT_UNSCANNABLE' | null => {
  if (verdict === 'clean') return null
  return verdict === 'infected' ? 'ATTACHMENT_INFECTED' : 'ATTACHMENT_UNSCANNABLE'
}

/** Control characters, marks that change the direction of writing, halves of characters, and what systems forbid in names. */
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029<>:"|?*]/gu
const UNNAMED = 'attachment'

const plainName = (sent: string): string => {
  const last = sent.normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const plain = last.replaceAll(FORBIDDEN, '').replaceAll(/\s+/g, ' ')
  return plain.replaceAll(/^[. ]+|[. ]+$/g, '')
}

/** How a file that is not kept is named to its sender: the last part of its path, without what could mislead, on one line. */
export const refusedName = (sent: string): string =>
  plainName(sent)
    .replaceAll(/[\\`*_[\]#~!]/g, '')
    .slice(0, ATTACHMENT_BOUNDS.name)
    .toWellFormed() || UNNAMED

/**
 * The name under which a file is kept and downloaded: the last part of the sent path, without what could mislead a reader or a system,
 * with an ending of what it is, and at most `ATTACHMENT_BOUNDS.name` long.
 */
export const attachmentName = (sent: string, { endings }: AttachmentContent): string => {
  const name = plainName(sent)
  const dot = name.lastIndexOf('.')
  const isKept = dot > 0 && endings.includes(name.slice(dot + 1).toLowerCase())
  const [stem, ending] = isKept ? [name.slice(0, dot), name.slice(dot)] : [name, `.${endings[0] ?? ''}`]
  const room = ATTACHMENT_BOUNDS.name - ending.length
  // A character of two units is not cut in half.
  return `${stem.slice(0, room).replace(/[\uD800-\uDBFF]$/, '') || UNNAMED}${ending}`
}
