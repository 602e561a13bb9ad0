import * as z from 'zod'
import { TicketAttachment } from '#contracts/http/desk/ticket-entity.ts'
import { ATTACHMENT_WAITS_MS } from '#domain/tickets/attachment.ts'

const Kept = z.array(z.object({ ...TicketAttachment.shape, keptAtMs: z.number() }))

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** The author and the place of a message: two people may share a browser. */
export type MessagePlace = { readonly userId: string; readonly message: string }

export const placeKey = ({ userId, message }: MessagePlace): string => `bakter:attachments:${userId}:${message}`

/**
 * The files that were uploaded for messages and not sent, in a browser, so that they are there after a reload. The site forgets them
 * after a day, and so does the browser. A browser without room or storage keeps none.
 */
export const keptAttachmentsIn = (store: () => Store, now: () => number) => {
  const read = (place: MessagePlace) => {
    try {
      const all = Kept.parse(JSON.parse(store().getItem(placeKey(place)) ?? '[]'))
      return all.filter(({ keptAtMs }) => now() - keptAtMs < ATTACHMENT_WAITS_MS)
    } catch {
      return []
    }
  }
  const write = (place: MessagePlace, files: z.infer<typeof Kept>): boolean => {
    try {
      if (files.length === 0) store().removeItem(placeKey(place))
      else store().setItem(placeKey(place), JSON.stringify(files))
      return true
    } catch {
      // Storage is full or switched off.
      return false
    }
  }
  return {
    /** Keeps the files of one message for another one, for as long as before. */
    move: (from: MessagePlace, to: MessagePlace): void => {
      if (write(to, [...read(to), ...read(from)])) write(from, [])
    },
    read: (place: MessagePlace): readonly TicketAttachment[] => read(place).map((file) => TicketAttachment.parse(file)),
    keep: (place: MessagePlace, files: readonly TicketAttachment[]): void => {
      const since = new Map(read(place).map(({ id, keptAtMs }) => [id, keptAtMs]))
      write(
        place,
        files.map((file) => ({ ...file, keptAtMs: since.get(file.id) ?? now() })),
      )
    },
  }
}
