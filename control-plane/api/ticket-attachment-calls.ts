import { dropAttachment, keepAttachment, readAttachment } from '../tickets/ticket-attachments.ts'
import type { ApiDeps, InternalCalls } from './api-deps.ts'
import { keyOf } from './idempotency-key.ts'
import { ticketRefused } from './ticket-refused.ts'

type AttachmentCall = 'upload-ticket-attachment' | 'drop-ticket-attachment' | 'ticket-attachment'

/** Calls about the files of tickets. */
export const ticketAttachmentCalls = ({ context, scanner }: ApiDeps): Pick<InternalCalls, AttachmentCall> => ({
  'upload-ticket-attachment': async ({ caller: { userId }, name, bytes }, meta) => {
    const upload = { userId, name, bytes: Buffer.from(bytes, 'base64'), key: keyOf(meta) }
    const result = await keepAttachment({ ...context, scanner }, upload)
    if (!result.ok) throw ticketRefused(result)
    return result.answer
  },
  'drop-ticket-attachment': async ({ caller: { userId }, attachmentId }) => {
    const result = await dropAttachment(context, { userId, attachmentId })
    if (!result.ok) throw ticketRefused(result)
    return {}
  },
  'ticket-attachment': async (input) => {
    const result = await readAttachment(context, input)
    if (!result.ok) throw ticketRefused(result)
    return result.file
  },
})
