import type { IdentityDatabase } from '../identity/context/database.ts'
import { CONTENT_CHANNEL } from '../lib/site/content-channel.ts'
import { EVERY_PAGE } from './forget-pages.ts'
import type { ForgetPages } from './forget-pages.ts'

/** A page whose rendering began before the change may be stored after it, so it is invalidated once more. */
const ONCE_MORE_MS = 2_000

type Deps = {
  readonly db: Pick<IdentityDatabase, 'listen'>
  readonly forget: ForgetPages
  readonly onFailure: (error: unknown) => void
}

/**
 * Invalidates pages as soon as any process, of this site or another one, commits a change of their content. Changes
 * during a lost connection are unknown: then every page is regenerated. Returns the stop function.
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
