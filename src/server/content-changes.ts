import type { IdentityDatabase } from '../identity/database.ts'
import { CONTENT_CHANNEL } from '../lib/site/content-channel.ts'
import { EVERY_PAGE } from './forget-pages.ts'
import type { ForgetPages } from './forget-pages.ts'

/** A page whose making began before the change may be stored after it, so it is forgotten once more. */
const ONCE_MORE_MS = 2_000

type Deps = {
  readonly db: Pick<IdentityDatabase, 'listen'>
  readonly forget: ForgetPages
  readonly onFailure: (error: unknown) => void
}

/**
 * Forgets pages as soon as any process, of this site or beside it, commits a change of their content. What changed while
 * nobody listened is not known: then every page is made anew. Returns what ends it.
 */
export const followContentChanges = ({ db, forget, onFailure }: Deps): (() => Promise<void>) => {
  const changed = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const forgetNow = (tags: readonly string[]) => void forget(tags).catch(onFailure)
  const change = (tag: string) => {
    forgetNow([tag])
    changed.add(tag)
    clearTimeout(timer)
    timer = setTimeout(() => {
      forgetNow([...changed])
      changed.clear()
    }, ONCE_MORE_MS)
  }
  const listening = db.listen(CONTENT_CHANNEL, { onMessage: change, onGap: () => change(EVERY_PAGE) })
  return async () => {
    clearTimeout(timer)
    await listening.close()
  }
}
