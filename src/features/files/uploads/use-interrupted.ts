'use client'
import { useEffect, useState } from 'react'
import { folderOf, nameOf } from '#contracts/panel/file-path.ts'
import { useFiles } from '../files-context.tsx'
import { discardUpload } from './in-parts.ts'
import { belongingTo, interruptedOf, tabOf } from './remembered-uploads.ts'
import type { RememberedUpload } from './remembered-uploads.ts'
import type { Upload, UploadQueue } from './upload-queue.ts'
import { rememberedFor } from './use-uploads.ts'

const isActive = ({ state }: Upload): boolean => state === 'waiting' || state === 'sending' || state === 'taken'

/** The uploads that an earlier visit of this page left, and what can be done with them. */
export const useInterrupted = (queue: UploadQueue, list: readonly Upload[]) => {
  const { server, node, may } = useFiles()
  const [interrupted, setInterrupted] = useState<readonly RememberedUpload[]>([])
  const [isOther, setOther] = useState(false)
  const mayCreate = may('file.create')
  const active = list.filter(isActive).map(({ path }) => path)
  const activeKey = active.join('\n')
  useEffect(() => {
    if (!mayCreate) return undefined
    let isHere = true
    const look = async () => {
      const all = (await rememberedFor(server.id, node)).list()
      const tab = tabOf(window.sessionStorage)
      const found = interruptedOf(all, { tab, nowMs: Date.now(), active: new Set(activeKey.split('\n')) })
      if (isHere) setInterrupted(found)
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
      // The node may have forgotten it; it forgets the others in a day.
      await discardUpload(node, url).catch(() => {})
      remembered.forget(fingerprint)
    }
    setInterrupted([])
  }
  return { interrupted, isOther, goOn, discard }
}
