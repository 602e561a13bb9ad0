import * as z from 'zod'
import { UploadFacts, UploadState } from '#contracts/panel/uploads.ts'
import type { HeldFolder } from '../../platform/held-folder.ts'
import { readJson } from '../placing.ts'

const ABOUT = Buffer.from('about.json')
const NEXT = Buffer.from('about.next')
const OWN_FILE = 0o600

/** The record of an upload. Only its first `offset` bytes are safely on the disk. */
export const UploadRecord = UploadState.extend({
  ...UploadFacts.shape,
  version: z.literal(1),
  /** The person who began it, and who alone continues it. */
  userId: z.string(),
})
export type UploadRecord = z.infer<typeof UploadRecord>

/** Undefined where there is none, or a damaged one. */
export const readRecord = async (folder: HeldFolder): Promise<UploadRecord | undefined> => {
  const record = UploadRecord.safeParse(await readJson(folder, ABOUT))
  return record.success ? record.data : undefined
}

/** Replaces the record as a whole: an interruption leaves the old one. */
export const writeRecord = async (folder: HeldFolder, record: UploadRecord): Promise<void> => {
  await folder.removeAll(NEXT)
  const handle = await folder.create(NEXT, OWN_FILE)
  try {
    await handle.writeFile(JSON.stringify(record))
    await handle.sync()
  } finally {
    await handle.close()
  }
  await folder.rename(NEXT, folder, ABOUT)
  await folder.sync()
}
