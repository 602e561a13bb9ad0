'use client'
import { useTranslations } from 'next-intl'
import { useLayoutEffect } from 'react'
import { usePagePath } from '@/lib/navigation/page-path.ts'
import { useServer } from '@/lib/servers/use-server.ts'
import { isPanelEntry, panelEntries } from './entries.ts'
import { decoded, usePanelPlace } from './panel-path.ts'

/** The name of the file that the editor has open at this path. */
export const openFileName = (path: string): string | undefined => {
  const [, file] = /^\/panel\/[^/]+\/edit\/(?:.*\/)?([^/]+)$/.exec(path) ?? []
  return file === undefined ? undefined : decoded(file)
}

/**
 * Keeps the document's title while the page is open. A page that is the same for many addresses gets one title from its route, which
 * the framework may write again after a step within it. Undefined leaves the route's own.
 */
const useDocumentTitle = (title: string | undefined): void => {
  // Ended in the same commit in which the next page writes its own.
  useLayoutEffect(() => {
    if (title === undefined) return undefined
    const keep = () => {
      if (document.title !== title) document.title = title
    }
    keep()
    const watch = new MutationObserver(keep)
    watch.observe(document.head, { childList: true, subtree: true, characterData: true })
    return () => watch.disconnect()
  }, [title])
}

/** Names page and server in the document's title, so that the tabs of several servers can be told apart. */
export const usePanelTitle = (): void => {
  const t = useTranslations('dashboard.entries')
  const path = usePagePath()
  const place = usePanelPlace()
  const id = place === 'reading' ? undefined : place?.id
  const server = useServer(id).data
  const entry = id === undefined ? undefined : panelEntries(id).find((each) => isPanelEntry(each, path, id))
  const page = openFileName(path) ?? (entry === undefined ? undefined : t(entry.title))
  useDocumentTitle(page === undefined || server === undefined ? undefined : `${page} · ${server.name} · Bakter`)
}
