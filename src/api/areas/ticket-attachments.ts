import { ATTACHMENT_BOUNDS, attachmentContent, refusalOfScan } from '#domain/tickets/attachment.ts'
import { attachmentDisposition } from '#platform/attachment-disposition.ts'
import { createLogger } from '#platform/logger.ts'
import { virusScanner } from '#platform/virus-scan/catalog.ts'
import { toldScans } from '#platform/virus-scan/told-scans.ts'
import { ScanFailure, type VirusScanner } from '#platform/virus-scan/virus-scanner.ts'
import { rewritePicture } from '../../identity/people/rewrite-picture.ts'
import { ApiError } from '../../lib/site/api-error.ts'
import { siteSettings } from '../../lib/site/env.ts'
import { askControlPlane } from '../ask-control-plane.ts'
import type { ApiArea } from '../api-call.ts'

let scanner: VirusScanner | undefined

/** The scanner of this installation. The log alone tells of it: the site has no metrics. */
const siteScanner = (): VirusScanner => {
  const { clamd, logLevel } = siteSettings()
  return (scanner ??= toldScans(virusScanner(clamd), { log: createLogger('site', logLevel) }))
}

/** Throws unless the virus scanner lets a file through. */
const mustBeClean = async (bytes: Uint8Array, account: string): Promise<void> => {
  const verdict = await siteScanner()
    .scan(bytes, account)
    .catch((error: unknown) => {
      throw error instanceof ScanFailure ? new ApiError('ATTACHMENT_NOT_SCANNED') : error
    })
  const code = refusalOfScan(verdict.kind)
  if (code !== null) throw new ApiError(code)
}

/** The bytes that are kept of an upload: of a picture only what is seen of it (decision 47). */
const keptBytes = async (bytes: Uint8Array, account: string): Promise<Uint8Array> => {
  const content = attachmentContent(bytes)
  if (content === null) throw new ApiError('ATTACHMENT_REFUSED')
  // The control plane scans what it keeps: of a picture that is not what came.
  if (content.kind !== 'picture') return bytes
  await mustBeClean(bytes, account)
  const picture = await rewritePicture(bytes)
  if (!picture.ok) throw new ApiError(picture.fault === 'TOO_LARGE' ? 'PICTURE_TOO_LARGE' : 'ATTACHMENT_REFUSED')
  if (picture.data.length > ATTACHMENT_BOUNDS.bytes) throw new ApiError('ATTACHMENT_TOO_LARGE')
  return picture.data
}

/** Files of tickets. They are saved, never shown as a page of this site, whatever is in them. */
export const ticketAttachmentsArea = {
  'POST /api/ticket-attachment': async (call) => {
    const bytes = Buffer.from(await keptBytes(call.input, call.subject.userId)).toString('base64')
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
