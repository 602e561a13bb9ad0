import * as z from 'zod'
import { ATTACHMENT_BOUNDS } from '#domain/tickets/attachment.ts'

/** Base64 is a third longer. */
const Bytes = z
  .base64()
  .min(1)
  .max(Math.ceil((ATTACHMENT_BOUNDS.bytes * 4) / 3) + 4)

/** A picture of a received mail that the site encodes anew for the control plane. */
export const PictureToRewrite = z.strictObject({ bytes: Bytes })
/** Only what is seen of the picture, in its own format; not ok for one that is damaged or too large. */
export const RewrittenPicture = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), bytes: Bytes }),
  z.object({ ok: z.literal(false) }),
])
export type RewrittenPicture = z.infer<typeof RewrittenPicture>
