'use client'
import { useSyncExternalStore } from 'react'
import { usePagePath } from '@/lib/navigation/page-path.ts'

export type PanelPlace = { id: string; page: string }

/** Parses `/panel/{id}/console`; `/panel/{id}` is the console. Undefined without a server. */
export const panelPlace = (path: string): PanelPlace | undefined => {
  const [, panel, id, page = 'console'] = path.split('/')
  return panel === 'panel' && id ? { id: decodeURIComponent(id), page } : undefined
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
