import type { Locale } from '#contracts/locale.ts'
import { ATTACHMENT_BOUNDS, attachmentContent, attachmentName, refusedName } from '#domain/tickets/attachment.ts'
import { ScanFailure, type VirusScanner } from '#platform/virus-scan/virus-scanner.ts'
import type { MailFile } from '../../messages/inbox/parse-mail.ts'
import type { NewFile } from '../ticket-attachments.ts'

/** Encodes a picture anew, so that only what is seen of it is kept; null for one that is damaged or too large. */
export type RewritePicture = (bytes: Uint8Array) => Promise<Uint8Array | null>

/** The files of a mail that are kept, and the names of the others. */
export type SortedFiles = {
  readonly kept: readonly NewFile[]
  readonly refused: readonly string[]
  /** Those of the refused ones that the virus scanner does not let through. */
  readonly unsafe?: readonly string[]
  /** Some had no room among the files of their sender. */
  readonly isFull?: boolean
}

/** The outside world of files: who encodes pictures, and who looks for viruses. */
export type FileChecks = { readonly rewrite: RewritePicture; readonly scanner: VirusScanner }

/**
 * The scanner until it gives no verdict for the first time. After that it fails at once: a scanner that says nothing takes its whole time for each
 * file, in which no other mail is read.
 */
export const untilItFails = (scanner: VirusScanner): VirusScanner => {
  let failure: ScanFailure | null = null
  return {
    scan: async (bytes, account) => {
      if (failure !== null) throw failure
      try {
        return await scanner.scan(bytes, account)
      } catch (error) {
        if (error instanceof ScanFailure) failure = error
        throw error
      }
    },
  }
}

const isTaken = ({ bytes }: MailFile): boolean =>
  attachmentContent(bytes) !== null && bytes.length <= ATTACHMENT_BOUNDS.bytes

const keptFile = async ({ name, bytes }: MailFile, { rewrite }: FileChecks): Promise<NewFile | null> => {
  const content = attachmentContent(bytes)
  if (content === null) return null
  const kept = content.kind === 'picture' ? await rewrite(bytes) : bytes
  if (kept === null || kept.length > ATTACHMENT_BOUNDS.bytes) return null
  return { name: attachmentName(name, content), content, bytes: kept }
}

/** A mail keeps five, and a few logos of a signature may stand before them. */
const MOST_LOOKED_AT = 10

/**
 * Sorts the files of a mail by the rules of every attachment (clarifications part 6), behind those that are `made` from the mail itself. Files after
 * the tenth are refused unseen: a damaged picture costs the site as much as a good one. Rejects with ScanFailure while the virus scanner gives no verdict.
 */
export async function sortFiles(
  { sent, made }: { sent: readonly MailFile[]; made: readonly NewFile[] },
  checks: FileChecks,
): Promise<SortedFiles> {
  const [kept, refused, unsafe]: [NewFile[], string[], string[]] = [[], [], []]
  const isStopped = async (name: string, bytes: Uint8Array): Promise<boolean> => {
    if ((await checks.scanner.scan(bytes)).kind === 'clean') return false
    unsafe.push(refusedName(name))
    return true
  }
  for (const file of made) {
    if (await isStopped(file.name, file.bytes)) refused.push(refusedName(file.name))
    else kept.push(file)
  }
  for (const [at, file] of sent.entries()) {
    const isLookedAt = at < MOST_LOOKED_AT && kept.length < ATTACHMENT_BOUNDS.perMessage && isTaken(file)
    // The bytes are scanned as they came, before any program decodes them.
    const found = isLookedAt && !(await isStopped(file.name, file.bytes)) ? await keptFile(file, checks) : null
    if (found === null) refused.push(refusedName(file.name))
    else kept.push(found)
  }
  return { kept, refused, unsafe }
}

/** The same files, of which those without `room` are refused, in bytes. */
export const withinRoom = (files: SortedFiles, room: number): SortedFiles => {
  const kept: NewFile[] = []
  const refused = [...files.refused]
  let left = room
  for (const file of files.kept) {
    if (file.bytes.length > left) refused.push(refusedName(file.name))
    else {
      left -= file.bytes.length
      kept.push(file)
    }
  }
  return { ...files, kept, refused, isFull: kept.length < files.kept.length }
}

const NO_TEXT: Readonly<Record<Locale, string>> = {
  en: 'The e-mail had no text.',
  hu: 'A levélben nem volt szöveg.',
  de: 'Die E-Mail enthielt keinen Text.',
}

/** The words of a mail: its text, else the names of its files, else a sentence that there was nothing to read. No mail of a customer is lost without a word. */
export const saidIn = (text: string, { kept, refused }: SortedFiles, language: Locale): string => {
  if (text.trim() !== '') return text.trim()
  if (kept.length > 0) return kept.map(({ name }) => name).join(', ')
  return refused.length > 0 ? '' : NO_TEXT[language]
}

const MOST_NAMES = 10

const LEFT_OUT: Readonly<Record<Locale, (names: string) => string>> = {
  en: (names) =>
    `These files of the e-mail were not added: ${names}. A message takes five pictures, text files or zip archives of up to 10 MB.`,
  hu: (names) =>
    `A levél következő fájljai nem kerültek be: ${names}. Egy üzenethez öt kép, szövegfájl vagy zip-archívum tartozhat, egyenként legfeljebb 10 MB.`,
  de: (names) =>
    `Diese Dateien der E-Mail wurden nicht hinzugefügt: ${names}. Eine Nachricht nimmt fünf Bilder, Textdateien oder Zip-Archive mit je höchstens 10 MB.`,
}

const FULL: Readonly<Record<Locale, string>> = {
  en: 'With them the sender would exceed the 500 MB that fit in 30 days.',
  hu: 'Velük a feladó túllépné a 30 napra jutó 500 MB-ot.',
  de: 'Mit ihnen überschritte der Absender die 500 MB für 30 Tage.',
}

const UNSAFE: Readonly<Record<Locale, (names: string) => string>> = {
  en: (names) => `Our virus scanner stopped ${names}.`,
  hu: (names) => `A víruskeresőnk kiszűrte: ${names}.`,
  de: (names) => `Unser Virenscanner hat ${names} gestoppt.`,
}

const listed = (names: readonly string[]): string => {
  const shown = names.slice(0, MOST_NAMES).join(', ')
  return names.length > MOST_NAMES ? `${shown}, …` : shown
}

/** The sentences that name the refused files to everybody who reads the message; empty without any. */
export const leftOut = ({ refused, unsafe = [], isFull = false }: SortedFiles, language: Locale): string => {
  if (refused.length === 0) return ''
  const sentences = [LEFT_OUT[language](listed(refused))]
  if (unsafe.length > 0) sentences.push(UNSAFE[language](listed(unsafe)))
  if (isFull) sentences.push(FULL[language])
  return sentences.join(' ')
}
