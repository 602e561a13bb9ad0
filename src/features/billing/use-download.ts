'use client'
import { useState } from 'react'
import { api } from '@/lib/browser-client/browser-client.ts'
import { saveFile } from '@/lib/browser-client/save-file.ts'

/** One download at a time: the current one, and whether the last one failed. */
export const useDownload = () => {
  const [busyId, setBusyId] = useState<string | null>(null)
  const [hasFailed, setHasFailed] = useState(false)
  const take = async (id: string, { path, name }: { path: string; name: string }) => {
    setBusyId(id)
    setHasFailed(false)
    try {
      saveFile(await api.download(path), name)
    } catch {
      setHasFailed(true)
    } finally {
      setBusyId(null)
    }
  }
  return { busyId, hasFailed, take }
}
