import { readFileSync } from 'node:fs'
import * as z from 'zod'
import { isLocale } from '../i18n/locales.ts'

const Manifest = z.object({ routes: z.record(z.string(), z.unknown()) })

// Next gives feeds no ETag, so the memory of pages can't keep them: Next answers them from its own cache.
const FEED = /\/feed\.(?:xml|json)$/

/** Paths of the pages that a build has prerendered, from Next's manifest of it. */
export const prerenderedPages = (manifest: string): ReadonlySet<string> => {
  const { routes } = Manifest.parse(JSON.parse(manifest))
  return new Set(Object.keys(routes).filter((path) => isLocale(path.split('/')[1]) && !FEED.test(path)))
}

/** The prerendered pages of the build in the working directory. */
export const readPrerenderedPages = (): ReadonlySet<string> =>
  prerenderedPages(readFileSync('.next/prerender-manifest.json', 'utf8'))
