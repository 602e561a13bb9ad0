import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { folderOf, nameOf } from '#contracts/panel/file-path.ts'
import { useToast } from '@/ui/surfaces/toast.tsx'
import { useFiles } from '../files-context.tsx'
import type { Files } from '../files-context.tsx'
import { openUploadsQuery, useFileCall } from '../files-queries.ts'
import { useTroubleText } from '../trouble-text.ts'
import { endedUploads, fingerprintOf } from './in-parts.ts'
import { tabOf } from './remembered-uploads.ts'
import type { RememberedUploads } from './remembered-uploads.ts'
import { beginsAlike } from './same-file.ts'
import { belongingTo, unfinishedOf } from './unfinished.ts'
import type { Unfinished } from './unfinished.ts'
import type { Upload, UploadQueue } from './upload-queue.ts'
import { rememberedFor } from './use-uploads.ts'

/** The result of the last choice of files. */
export type Choice = 'none' | 'checking' | 'other' | 'unknown'

const useRemembered = ({ server, node }: Files): RememberedUploads | null => {
  const [remembered, setRemembered] = useState<RememberedUploads | null>(null)
  useEffect(() => {
    let isHere = true
    // A node that is away says so in its own place.
    rememberedFor(server.id, node).then(
      (found) => isHere && setRemembered(found),
      () => {},
    )
    return () => {
      isHere = false
    }
  }, [server.id, node])
  return remembered
}

/** Goes on with a file if it is the one of the upload: by what this browser remembers, or by the bytes that have arrived. */
const useGoingOn = (files: Files, queue: UploadQueue, remembered: RememberedUploads | null) => {
  const { node } = files
  return async (file: File, upload: Unfinished): Promise<'same' | 'other' | 'unknown'> => {
    const { id, path, name, bytes, offset, known } = upload
    const replaces = upload.replaces === 'any'
    const fingerprint = await fingerprintOf(path, file, replaces)
    if (known?.fingerprint !== fingerprint) {
      const found = await beginsAlike(file, (fromPart) => node.call('upload-sums', { id, fromPart }))
      if (found !== 'same') return found
      if (known !== undefined) remembered?.forget(known.fingerprint)
      const url = `${await node.uploadsAddress()}/${id}`
      // No tab's until the queue sends it: one that is cancelled while it waits is there to be continued again.
      remembered?.keep({ fingerprint, path, name, bytes, sent: offset, url, tab: '' })
    }
    queue.add(folderOf(path), [{ path: nameOf(path), file, replaces }])
    return 'same'
  }
}

/** The uploads to a server that are not complete, and what the reader can do with them. */
export const useUnfinished = (queue: UploadQueue, list: readonly Upload[]) => {
  const files = useFiles()
  const toast = useToast()
  const troubleText = useTroubleText()
  const remembered = useRemembered(files)
  const query = useQuery(openUploadsQuery(files))
  const end = useFileCall(files, 'end-upload')
  const goOn = useGoingOn(files, queue, remembered)
  const [choice, setChoice] = useState<Choice>('none')
  const activeKey = list.map(({ path }) => path).join('\n')
  const { data, refetch } = query
  // An upload that the queue begins, ends or is rid of changes the list.
  useEffect(() => void refetch(), [activeKey, refetch])
  const unfinished = useMemo(() => {
    if (remembered === null) return []
    const active = new Set(activeKey.split('\n'))
    const tab = tabOf(window.sessionStorage)
    const loadedAtMs = performance.timeOrigin
    return unfinishedOf(data?.uploads ?? [], {
      tab,
      loadedAtMs,
      remembered: remembered.list(),
      active,
      ended: endedUploads,
    })
  }, [data, remembered, activeKey])
  const resumable = unfinished.filter(({ way }) => way === 'resume' && files.may('file.create'))

  const choose = async (chosen: readonly File[]): Promise<void> => {
    setChoice('checking')
    const results: string[] = []
    try {
      for (const file of chosen) {
        const upload = belongingTo(file, resumable)
        results.push(upload === undefined ? 'other' : await goOn(file, upload))
      }
      const bad = results.find((result) => result !== 'same')
      setChoice(bad === undefined ? 'none' : bad === 'unknown' ? 'unknown' : 'other')
    } catch (failure) {
      setChoice('none')
      toast({ text: troubleText(failure), lamp: 'crash' })
    }
  }
  const discard = async (uploads: readonly Unfinished[]): Promise<void> => {
    for (const { id, path, known } of uploads) {
      try {
        await end.mutateAsync({ id })
        endedUploads.add(id)
        if (known !== undefined) remembered?.forget(known.fingerprint)
      } catch (failure) {
        toast({ text: troubleText(failure, nameOf(path)), lamp: 'crash' })
      }
    }
  }
  return { unfinished, resumable, choice, choose, discard }
}
