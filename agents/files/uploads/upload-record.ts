import * as z from 'zod'
import type { HeldFolder } from '../../platform/held-folder.ts'
import { readJson } from '../placing.ts'

const ABOUT = Buffer.from('about.json')
const NEXT = Buffer.from('about.next')
const OWN_FILE = 0o600

/** What is known of an upload that is on its way. */
export const UploadRecord = z.object({
  version: z.literal(1),
  path: z.string(),
  replaces: z.enum(['new', 'any']),
  /** Its length, and how much of it is safely on the disk. */
  bytes: z.number(),
  offset: z.number(),
  /** Who began it: nobody else goes on with it. */
  userId: z.string(),
  expiresAtMs: z.number(),
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
