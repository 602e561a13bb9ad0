import { createByteCache } from './byte-cache.ts'
import { keepableMs, keptPage } from './kept-page.ts'
import type { FinishedPage, KeptPage } from './kept-page.ts'

/**
 * All that is kept, each page in each encoding. A build has some ninety pages of up to 105 kB, which fill 22 MB when every one
 * of them has been read in every encoding, with and without its language in the address.
 */
export const MAX_KEPT_BYTES = 32_000_000

type Deps = {
  readonly nowMs: () => number
  /** The mark of the policy that pages are made with now. */
  readonly mark: () => string
  readonly maxBytes?: number
}

export type PageMemory = ReturnType<typeof createPageMemory>

/**
 * Keeps finished pages until content changes, their policy changes or their time is over. Each is rendered once, however many ask
 * for it at the same moment. A rendering that began before a change is answered and not kept.
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
    /** Renders a page that is not kept. Null when its answer is not for everybody to have; rejects as `render` does. */
    make: (key: string, render: () => Promise<FinishedPage>): Promise<KeptPage | null> => {
      const begun = rendering.get(key)
      if (begun) return begun
      const mine = rendering
      const making = renderNow(key, render).finally(() => mine.delete(key))
      mine.set(key, making)
      return making
    },
    /** Content has changed: no page that was made, or whose making began, before this moment is kept any longer. */
    forget: (): void => {
      generation += 1
      pages = fresh()
      // Whoever asks from now on does not wait for the old page.
      rendering = new Map()
    },
    count: () => pages.count(),
    bytes: () => pages.bytes(),
  }
}
