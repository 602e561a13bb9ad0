import { unstable_cache } from 'next/cache'
import { hasSettings } from './site-url.ts'

// A page built without content is stale a second later, so that its first visits after the start refresh it.
const soon = unstable_cache(async () => true, ['without-content'], { revalidate: 1 })

/**
 * A build may run without a database: its pages are built without content. At run time a failure throws, so that a good
 * page stays in the cache.
 */
export const orAtBuild = async <Value>(read: () => Promise<Value>, atBuild: Value): Promise<Value> => {
  if (hasSettings()) return read()
  await soon()
  return atBuild
}
