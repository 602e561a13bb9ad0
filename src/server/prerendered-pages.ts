import { readFileSync } from 'node:fs'
import * as z from 'zod'
import { isLocale } from '../i18n/locales.ts'

const Manifest = z.object({ routes: z.record(z.string(), z.unknown()) })

/** The addresses of the pages that a build has made for everybody, out of what Next writes about it. */
export const prerenderedPages = (manifest: string): ReadonlySet<string> => {
  const { routes } = Manifest.parse(JSON.parse(manifest))
  return new Set(Object.keys(routes).filter((path) => isLocale(path.split('/')[1])))
}

/** Those of the build in this folder. */
export const readPrerenderedPages = (): ReadonlySet<string> =>
  prerenderedPages(readFileSync('.next/prerender-manifest.json', 'utf8'))
