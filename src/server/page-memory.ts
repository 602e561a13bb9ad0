import { createByteCache } from './byte-cache.ts'
import { keepableMs, keptPage } from './kept-page.ts'
import type { FinishedPage, KeptPage } from './kept-page.ts'

/**
 * The bound of the memory. A build has 117 pages of up to 116 kB: 17 MB in every encoding, with and without the language in
 * the address, before any content is added to them.
 */
export const MAX_KEPT_BYTES = 32_000_000

type Deps = {
  readonly nowMs: () => number
  /** The policy mark of a page rendered now. */
  readonly mark: () => string
  readonly maxBytes?: number
}

export type PageMemory = ReturnType<typeof createPageMemory>

/**
 * Keeps finished pages until content changes, the policy changes or the page expires. Concurrent requests for a page share
 * one rendering. A rendering that began before a change is served to those who waited for it, and not kept.
 */
export const createPageMemory = ({ nowMs, mark, maxBytes = MAX_KEPT_BYTES }: Deps) => {
  const fresh = () => createByteCache<KeptPage>(maxBytes, ({ sizeBytes }) => sizeBytes)
  let pages = fresh()
  let rendering = new Map<string, Promise<KeptPage | null>>()
  let generation = 0
  const find = (key: string): KeptPage | undefined => {
    const page = pages.get(key)
    return page !== undefined && page.mark === mark() && nowMs() < page.untilMs ? page : undefined
  }
  const renderNow = async (key: string, render: () => Promise<FinishedPage>): Promise<KeptPage | null> => {
    const begunIn = generation
    const finished = await render()
    const forMs = keepableMs(finished)
    if (forMs === 0) return null
    const page = keptPage(finished, nowMs() + forMs)
    if (begunIn === generation) pages.set(key, page)
    return page
  }
  return {
    find,
    /** Renders a page that is not kept. Null if the response must not be shared; rejects if `render` does. */
    make: (key: string, render: () => Promise<FinishedPage>): Promise<KeptPage | null> => {
      const begun = rendering.get(key)
      if (begun) return begun
      const mine = rendering
      const making = renderNow(key, render).finally(() => mine.delete(key))
      mine.set(key, making)
      return making
    },
    /** Content has changed: drops all pages, including those whose rendering has begun. */
    forget: (): void => {
      generation += 1
      pages = fresh()
      // Later requests must not wait for the old page.
      rendering = new Map()
    },
    count: () => pages.count(),
    bytes: () => pages.bytes(),
  }
}
