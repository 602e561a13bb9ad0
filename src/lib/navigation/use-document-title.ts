import { useEffect } from 'react'

/**
 * Keeps the document's title while the page is open. A page that is the same for many addresses gets one title from its route, which
 * the framework may write again after a step within it. Undefined leaves the route's own.
 */
export const useDocumentTitle = (title: string | undefined): void => {
  useEffect(() => {
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
