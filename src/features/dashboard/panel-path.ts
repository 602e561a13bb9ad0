'use client'
import { useSyncExternalStore } from 'react'
import { usePagePath } from '@/lib/navigation/page-path.ts'

export type PanelPlace = { id: string; page: string }

// An address that nothing made may be undecodable; its server does not exist either way.
const decoded = (id: string): string => {
  try {
    return decodeURIComponent(id)
  } catch {
    return id
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
