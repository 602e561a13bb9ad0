'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { readJson } from '@/lib/browser-client/read-failure.ts'
import { sendWithProgress } from '@/lib/browser-client/send-with-progress.ts'
import { FileTrouble } from '../file-trouble.ts'
import type { Files } from '../files-context.tsx'
import { filesKey } from '../files-queries.ts'
import { readTrouble } from '../node-files.ts'
import type { NodeFiles } from '../node-files.ts'
import { sendInParts } from './in-parts.ts'
import { RememberedUploads, tabOf } from './remembered-uploads.ts'
import { goesInParts, UploadQueue } from './upload-queue.ts'
import type { Transfer } from './upload-queue.ts'

const REFRESH_MS = 300
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 15_000
/** A larger file is not read back after an interruption: whether to replace it is asked. */
const MAX_COMPARED_BYTES = 8 * 1024 * 1024

/** Twice as long each time, and over at once when the browser has a connection again. */
const pause = (attempt: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer)
      window.removeEventListener('online', over)
      resolve()
    }
    const timer = setTimeout(over, Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt))
    window.addEventListener('online', over)
    signal.addEventListener('abort', over, { once: true })
  })

/** The unfinished uploads of the reader to a server that this browser remembers. */
export const rememberedFor = async (serverId: string, node: NodeFiles): Promise<RememberedUploads> =>
  new RememberedUploads(window.localStorage, { serverId, personId: await node.personId(), now: Date.now })

const transferTo = (serverId: string, node: NodeFiles): Transfer => ({
  pause,
  holds: async (path, file) => {
    if (file.size > MAX_COMPARED_BYTES) return false
    const { bytes, total } = await node.read(path, { from: 0, limit: Math.max(1, file.size) })
    if (total !== file.size) return false
    const mine = new Uint8Array(await file.arrayBuffer())
    return bytes.every((byte, at) => byte === mine[at])
  },
  makeFolder: async (path) => void (await node.call('create-folder', { path })),
  send: async (path, file, { replaces, onSent, signal, hold }) => {
    if (goesInParts(file)) {
      const remembered = await rememberedFor(serverId, node)
      const tab = tabOf(window.sessionStorage)
      return sendInParts(path, file, { node, remembered, tab, replaces, onSent, signal, hold })
    }
    const { url, token } = await node.uploadTarget(path)
    if (signal.aborted || hold.aborted) throw new FileTrouble('AWAY')
    const ends = new AbortController()
    for (const end of [signal, hold]) end.addEventListener('abort', () => ends.abort(), { once: true })
    const headers = { authorization: `Bearer ${token}`, ...(replaces ? {} : { 'if-none-match': '*' }) }
    const init = { method: 'PUT', headers, body: file, signal: ends.signal }
    const response = await sendWithProgress(url, init, onSent).catch(() => {
      throw new FileTrouble('AWAY')
    })
    if (response.status !== 200) throw readTrouble(response.status, await readJson(response))
  },
})

const queues = new Map<NodeFiles, { queue: UploadQueue; listeners: Set<() => void> }>()

/** One queue for each server and for each collaborator as whom it is looked at, which outlives its page: uploads go on while the reader looks at the console. */
const queueOf = (serverId: string, node: NodeFiles) => {
  const known = queues.get(node)
  if (known !== undefined) return known
  const listeners = new Set<() => void>()
  const queue = new UploadQueue(transferTo(serverId, node), () => {
    for (const listener of listeners) listener()
  })
  const made = { queue, listeners }
  queues.set(node, made)
  return made
}

/** The uploads of a server. Lists are read again when files have arrived, and leaving the site asks while some are on their way. */
export const useUploads = ({ server, node }: Files) => {
  const { queue, listeners } = useMemo(() => queueOf(server.id, node), [server.id, node])
  const client = useQueryClient()
  const [subscribe] = useState(() => (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  })
  const list = useSyncExternalStore(
    subscribe,
    () => queue.list,
    () => queue.list,
  )
  // A paused file that has not begun is known to this page alone.
  const isOnTheWay = list.some(({ state }) => state === 'sending' || state === 'waiting' || state === 'paused')
  const done = list.filter(({ state }) => state === 'done').length
  useEffect(() => {
    if (done === 0) return undefined
    // Once for many small files that arrive one after the other.
    const timer = setTimeout(
      () => void client.invalidateQueries({ queryKey: filesKey(server.id) }),
      isOnTheWay ? REFRESH_MS : 0,
    )
    return () => clearTimeout(timer)
  }, [done, isOnTheWay, client, server.id])
  useEffect(() => {
    if (!isOnTheWay) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isOnTheWay])
  return { queue, list, isOnTheWay }
}
