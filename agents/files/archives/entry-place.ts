import { partsOfPath } from '#contracts/panel/file-path.ts'
import type { LeftOutReason } from '#contracts/panel/file-jobs.ts'

export type EntryPlace =
  { readonly is: 'place'; readonly parts: readonly string[] } | { readonly is: 'left out'; readonly why: LeftOutReason }

const DRIVE = /^[a-z]:/i
/** Decoders write this sign for bytes that they cannot read. */
const UNREADABLE = '\uFFFD'

/**
 * Where an entry belongs below the folder that receives it, by its name; no parts for that folder itself. Backslashes
 * separate as well, because archives made on Windows have them, and a name must not mean two things.
 */
export const entryPlace = (name: string): EntryPlace => {
  const plain = name.replaceAll('\\', '/')
  if (plain.startsWith('/') || DRIVE.test(plain)) return { is: 'left out', why: 'absolute' }
  const parts = plain.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.includes('..')) return { is: 'left out', why: 'climbs' }
  if (name.includes(UNREADABLE)) return { is: 'left out', why: 'name' }
  const found = partsOfPath(parts.join('/'))
  return found === undefined ? { is: 'left out', why: 'name' } : { is: 'place', parts: found }
}
