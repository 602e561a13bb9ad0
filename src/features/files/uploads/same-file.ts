import { UPLOAD_PART_BYTES, type UploadSums } from '#contracts/panel/uploads.ts'
import { base64, hashes } from './in-parts.ts'

/** The sums of the parts that the node has, from the given one on. */
export type AskSums = (fromPart: number) => Promise<UploadSums>

/**
 * Whether a file begins with exactly the bytes that the node has of an upload; `unknown` where the page may not hash. Reads one
 * part at a time, so that a file of any size fits the browser.
 */
export const beginsAlike = async (file: Blob, askSums: AskSums): Promise<'same' | 'other' | 'unknown'> => {
  const subtle = hashes()
  if (subtle === undefined) return 'unknown'
  for (let part = 0; ;) {
    const { sums, offset } = await askSums(part)
    for (const sum of sums) {
      const from = part * UPLOAD_PART_BYTES
      const piece = file.slice(from, Math.min(from + UPLOAD_PART_BYTES, offset))
      if (base64(await subtle.digest('SHA-256', await piece.arrayBuffer())) !== sum) return 'other'
      part += 1
    }
    if (sums.length === 0 || part * UPLOAD_PART_BYTES >= offset) return 'same'
  }
}
