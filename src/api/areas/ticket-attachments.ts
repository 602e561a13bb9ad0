import { ATTACHMENT_BOUNDS, attachmentContent } from '#domain/tickets/attachment.ts'
import { attachmentDisposition } from '#platform/attachment-disposition.ts'
import { rewritePicture } from '../../identity/people/rewrite-picture.ts'
import { ApiError } from '../../lib/site/api-error.ts'
import { askControlPlane } from '../ask-control-plane.ts'
import type { ApiArea } from '../api-call.ts'

/** The bytes that are kept of an upload: of a picture only what is seen of it (decision 47). */
const keptBytes = async (bytes: Uint8Array): Promise<Uint8Array> => {
  const content = attachmentContent(bytes)
  if (content === null) throw new ApiError('ATTACHMENT_REFUSED')
  if (content.kind !== 'picture') return bytes
  const picture = await rewritePicture(bytes)
  if (!picture.ok) throw new ApiError(picture.fault === 'TOO_LARGE' ? 'PICTURE_TOO_LARGE' : 'ATTACHMENT_REFUSED')
  if (picture.data.length > ATTACHMENT_BOUNDS.bytes) throw new ApiError('ATTACHMENT_TOO_LARGE')
  return picture.data
}

/** Files of tickets. They are saved, never shown as a page of this site, whatever is in them. */
export const ticketAttachmentsArea = {
  'POST /api/ticket-attachment': async (call) => {
    const bytes = Buffer.from(await keptBytes(call.input)).toString('base64')
    return { body: await askControlPlane('upload-ticket-attachment', { name: call.query.name, bytes }, call) }
  },
  'GET /api/ticket/{id}/attachments/{attachmentId}': async (call) => {
    const { id: ticketId, attachmentId } = call.path
    const { name, mediaType, bytes } = await askControlPlane('ticket-attachment', { ticketId, attachmentId }, call)
    return {
      body: new Uint8Array(Buffer.from(bytes, 'base64')),
      headers: {
        'content-type': mediaType,
        'content-disposition': attachmentDisposition(name),
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, no-store',
      },
    }
  },
} satisfies ApiArea
