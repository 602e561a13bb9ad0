import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey } from '#platform/seal.ts'

/** Mail systems may change letters to lower case. */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const MARK_LENGTH = 16
const ID_BYTES = 16
const ID_LENGTH = 26
/** A local part has at most 64 characters (RFC 5321), of which `+b`, an id and its mark take 44. */
export const LONGEST_LOCAL_PART = 20

const base32 = (bytes: Uint8Array): string => {
  let [text, value, bits] = ['', 0, 0]
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xff_ff
    bits += 8
    while (bits >= 5) {
      text += ALPHABET[(value >> (bits - 5)) & 31] ?? ''
      bits -= 5
    }
  }
  return bits === 0 ? text : text + (ALPHABET[(value << (5 - bits)) & 31] ?? '')
}

const bytesOf = (text: string): Buffer => {
  const bytes: number[] = []
  let [value, bits] = [0, 0]
  for (const letter of text) {
    value = ((value << 5) | ALPHABET.indexOf(letter)) & 0xff_ff
    bits += 5
    if (bits >= 8) {
      bytes.push((value >> (bits - 8)) & 0xff)
      bits -= 8
    }
  }
  return Buffer.from(bytes)
}

/** An address of ours that was found in a mail: who wrote it must still be checked. */
export type FoundAddress =
  | { readonly kind: 'reply'; readonly identifier: string; readonly mark: string }
  | { readonly kind: 'bounce'; readonly mailId: string; readonly mark: string }

type Ticket = { readonly ticketId: string; readonly userId: string }

/** The addresses by which mails come back to us. Each carries a mark that nobody without the secret can make. */
export type MailAddresses = {
  /** Without a token; nothing is signed by it. */
  readonly plain: string
  /** Where one person replies to one ticket. */
  readonly replyTo: (ticket: Ticket & { readonly identifier: string }) => string
  /** Where mail servers report what became of one mail. */
  readonly bounceTo: (mailId: string) => string
  /** The addresses of ours in texts of headers, at most ten. */
  readonly find: (texts: readonly string[]) => readonly FoundAddress[]
  readonly isReplyOf: (mark: string, ticket: Ticket) => boolean
  readonly isBounceOf: (mark: string, mailId: string) => boolean
}

const MOST_FOUND = 10

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** The signed forms of a mailbox's address `local@domain`; its server must deliver `local+anything@domain` to it. */
export function mailAddresses(address: string, secret: string): MailAddresses {
  const plain = address.toLowerCase()
  const at = plain.lastIndexOf('@')
  const [local, domain] = [plain.slice(0, at), plain.slice(at + 1)]
  const key = deriveKey(secret, 'bakter mail addresses 1')
  const markOf = (text: string): string => base32(createHmac('sha256', key).update(text).digest().subarray(0, 10))
  const isMark = (mark: string, text: string): boolean => {
    const right = Buffer.from(markOf(text))
    const given = Buffer.from(mark)
    return given.length === right.length && timingSafeEqual(given, right)
  }
  const replyText = ({ ticketId, userId }: Ticket): string => `reply ${ticketId} ${userId}`
  const bounceText = (mailId: string): string => `bounce ${mailId}`
  const token = `(?:r([a-z0-9]{8})|b([a-z2-7]{${ID_LENGTH}}))([a-z2-7]{${MARK_LENGTH}})`
  const pattern = new RegExp(`(?<![\\w.+-])${escaped(local)}\\+${token}@${escaped(domain)}(?![\\w.-]*\\w)`, 'gi')
  const foundIn = (text: string): FoundAddress[] =>
    [...text.matchAll(pattern)].map(([, identifier, id, found = '']) => {
      const mark = found.toLowerCase()
      if (identifier !== undefined) return { kind: 'reply', identifier: identifier.toLowerCase(), mark }
      const mailId = uuidOf(bytesOf((id ?? '').toLowerCase()).subarray(0, ID_BYTES))
      return { kind: 'bounce', mailId, mark }
    })
  return {
    plain,
    replyTo: ({ identifier, ...ticket }) => `${local}+r${identifier}${markOf(replyText(ticket))}@${domain}`,
    bounceTo: (mailId) => {
      const id = base32(Buffer.from(mailId.replaceAll('-', ''), 'hex'))
      return `${local}+b${id}${markOf(bounceText(mailId))}@${domain}`
    },
    find: (texts) => texts.flatMap(foundIn).slice(0, MOST_FOUND),
    isReplyOf: (mark, ticket) => isMark(mark, replyText(ticket)),
    isBounceOf: (mark, mailId) => isMark(mark, bounceText(mailId)),
  }
}
