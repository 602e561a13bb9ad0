import { INTERNAL_HEADERS } from '#contracts/internal-api/calls.ts'
import { RewrittenPicture } from '#contracts/internal-api/picture.ts'
import type { RewritePicture } from './mail-files.ts'

/** A picture waits for its turn at the site, and takes up to 15 seconds there. */
const TIMEOUT_MS = 60_000

/** The site encodes pictures, because it has the decoder and its bounds (decision 47). Rejects when it does not answer. */
export const sitePicturesAt =
  ({ url, secret }: { url: string; secret: string }): RewritePicture =>
  async (bytes) => {
    const answer = await fetch(`${url}/internal/picture`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [INTERNAL_HEADERS.secret]: secret },
      body: JSON.stringify({ bytes: Buffer.from(bytes).toString('base64') }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (!answer.ok) throw new Error(`The site answered ${answer.status} to a picture.`)
    const picture = RewrittenPicture.parse(await answer.json())
    return picture.ok ? Buffer.from(picture.bytes, 'base64') : null
  }
