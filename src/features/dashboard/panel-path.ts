'use client'
import { useSyncExternalStore } from 'react'
import { usePagePath } from '@/lib/navigation/page-path.ts'

export type PanelPlace = { id: string; page: string }

/** A part of an address. One that nothing made may be undecodable, and stays as it is: what it names does not exist either way. */
export const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Parses `/panel/{id}/console`; `/panel/{id}` is the console. Undefined without a server. */
export const panelPlace = (path: string): PanelPlace | undefined => {
  const [, panel, id, page = ''] = path.split('/')
  return panel === 'panel' && id ? { id: decoded(id), page: page === '' ? 'console' : page } : undefined
}

const never = () => () => undefined

/** The server in the address. One static page serves all servers, so it is read in the browser. */
export const usePanelPlace = (): PanelPlace | 'reading' | undefined => {
  const path = usePagePath()
  const isBrowser = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  return isBrowser ? panelPlace(path) : 'reading'
}
