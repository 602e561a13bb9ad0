'use client'
import { useEffect, useState } from 'react'
import { folderOf, nameOf } from '#contracts/panel/file-path.ts'
import { useFiles } from '../files-context.tsx'
import { discardUpload } from './in-parts.ts'
import { belongingTo, interruptedOf, tabOf } from './remembered-uploads.ts'
import type { RememberedUpload } from './remembered-uploads.ts'
import type { Upload, UploadQueue } from './upload-queue.ts'
import { rememberedFor } from './use-uploads.ts'

/** The uploads that an earlier visit of this page left, and what can be done with them. */
export const useInterrupted = (queue: UploadQueue, list: readonly Upload[]) => {
  const { server, node, may } = useFiles()
  const [interrupted, setInterrupted] = useState<readonly RememberedUpload[]>([])
  const [isOther, setOther] = useState(false)
  const mayCreate = may('file.create')
  const activeKey = list.map(({ path }) => path).join('\n')
  useEffect(() => {
    if (!mayCreate) return undefined
    let isHere = true
    const look = async () => {
      const all = (await rememberedFor(server.id, node)).list()
      const tab = tabOf(window.sessionStorage)
      const active = new Set(activeKey.split('\n'))
      const present = { tab, nowMs: Date.now(), loadedAtMs: performance.timeOrigin, active }
      if (isHere) setInterrupted(interruptedOf(all, present))
    }
    // A node that is away says so in its own place.
    look().catch(() => {})
    return () => {
      isHere = false
    }
  }, [server.id, node, mayCreate, activeKey])
  const goOn = (files: readonly File[]): void => {
    const found = files.flatMap((file) => {
      const upload = belongingTo(file, interrupted)
      return upload === undefined ? [] : [{ file, path: upload.path }]
    })
    setOther(found.length === 0)
    for (const { file, path } of found) queue.add(folderOf(path), [{ path: nameOf(path), file }])
  }
  const discard = async (): Promise<void> => {
    const remembered = await rememberedFor(server.id, node)
    for (const { url, fingerprint } of interrupted) {
      remembered.forget(fingerprint)
      // If the request is lost, the node forgets the upload in a day.
      await discardUpload(node, url).catch(() => {})
    }
    setInterrupted([])
  }
  return { interrupted, isOther, goOn, discard }
}
