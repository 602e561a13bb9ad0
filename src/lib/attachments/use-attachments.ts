'use client'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { TicketAttachment } from '#contracts/http/desk/ticket-entity.ts'
import { Nothing } from '#contracts/primitives.ts'
import { api } from '../browser-client/browser-client.ts'
import { newRequestId } from '../browser-client/request-id.ts'
import { AttachmentTray, obstacleIn, uploadedIn } from './attachment-tray.ts'
import type { TrayItem } from './attachment-tray.ts'
import { judgeFile } from './judge-file.ts'
import { keptAttachmentsIn, placeKey } from './kept-attachments.ts'
import type { MessagePlace } from './kept-attachments.ts'

const kept = keptAttachmentsIn(
  () => window.localStorage,
  () => Date.now(),
)

type Known = { readonly tray: AttachmentTray; readonly listeners: Set<() => void>; place: MessagePlace }

/** One tray for each message, which outlives its page: uploads go on while somebody looks elsewhere. */
const trays = new Map<string, Known>()

const trayOf = (place: MessagePlace): Known => {
  const known = trays.get(placeKey(place))
  if (known !== undefined) return known
  const listeners = new Set<() => void>()
  const found = kept.read(place)
  const idsOf = (files: readonly TicketAttachment[]) => files.map(({ id }) => id).join()
  let keptIds = idsOf(found)
  const keep = () => {
    const uploaded = uploadedIn(tray.list)
    if (idsOf(uploaded) === keptIds) return
    keptIds = idsOf(uploaded)
    kept.keep(made.place, uploaded)
  }
  const tray = new AttachmentTray(
    {
      judge: judgeFile,
      send: (file, { name, key, onSent, signal }) =>
        api.call(`/api/ticket-attachment?${new URLSearchParams({ name })}`, {
          method: 'POST',
          file,
          idempotencyKey: key,
          schema: TicketAttachment,
          onSent,
          signal,
        }),
      drop: (id) => api.call(`/api/ticket-attachment/${encodeURIComponent(id)}`, { method: 'DELETE', schema: Nothing }),
      newKey: newRequestId,
      changed: () => {
        keep()
        for (const listener of listeners) listener()
      },
    },
    found,
  )
  const made: Known = { tray, listeners, place }
  trays.set(placeKey(place), made)
  return made
}

/**
 * Moves the files of a message that was not sent to another message, which is written in its place. An empty one takes all of them, also those
 * under way and those that failed; one with files of its own takes them too, as far as it has room, and says when it has none.
 */
export const moveAttachments = (from: MessagePlace, message: string): void => {
  const to = { ...from, message }
  const source = trayOf(from)
  if (source.tray.list.length === 0 || placeKey(from) === placeKey(to)) return
  const target = trayOf(to)
  if (target.tray.list.length > 0) return target.tray.takeFrom(source.tray)
  kept.move(from, to)
  source.place = to
  trays.set(placeKey(to), source)
  trays.delete(placeKey(from))
}

export type Attachments = {
  readonly items: readonly TrayItem[]
  readonly isFull: boolean
  /** Why the message was not sent, from the attempt until it is solved. */
  readonly obstacle: 'uploading' | 'failed' | null
  readonly add: (files: readonly File[]) => void
  readonly remove: (id: number) => void
  readonly retry: (id: number) => void
  /** Whether the message can be sent; `obstacle` says why if not. */
  readonly mayGo: () => boolean
  /** The part of the message's body that names its files. */
  readonly body: () => { readonly attachments?: string[] }
  /** The message was sent. */
  readonly sent: () => void
  /** The message was refused with these fields; returns whether because of its files, which then say so themselves. */
  readonly refused: (fields: Readonly<Record<string, string>>) => boolean
}

/** The files of a message that is being written. Leaving the site asks while some are on their way. Never drawn by a server. */
export const useAttachments = ({ userId, message }: MessagePlace): Attachments => {
  const { tray, listeners } = trayOf({ userId, message })
  const here = placeKey({ userId, message })
  const [stoppedAt, setStoppedAt] = useState<string | null>(null)
  const items = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => tray.list,
    () => tray.list,
  )
  const obstacle = obstacleIn(items)
  const isUploading = obstacle === 'uploading'
  if (stoppedAt === here && obstacle === null) setStoppedAt(null)
  useEffect(() => {
    if (!isUploading) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isUploading])
  return {
    items,
    isFull: tray.isFull,
    obstacle: stoppedAt === here ? obstacle : null,
    add: (files) => tray.add(files),
    remove: (id) => tray.remove(id),
    retry: (id) => tray.retry(id),
    mayGo: () => {
      const isFree = obstacleIn(tray.list) === null
      setStoppedAt(isFree ? null : here)
      return isFree
    },
    body: () => {
      const attachments = uploadedIn(tray.list).map(({ id }) => id)
      return attachments.length === 0 ? {} : { attachments }
    },
    sent: () => tray.clear(),
    refused: (fields) => {
      const isLost = fields.attachments !== undefined
      if (isLost) tray.lose()
      return isLost
    },
  }
}
