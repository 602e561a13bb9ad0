import { type SeedTarget, writeGlobal } from './write-localized.ts'

/** Makes the site's page for support calls the uptime page of a demo whose staff entered none. */
export const seedStatusPage = async (target: SeedTarget, siteUrl: string): Promise<void> => {
  const { payload, req } = target
  const { statusUrl } = await payload.findGlobal({ slug: 'navigation', depth: 0, overrideAccess: true, req })
  if (!statusUrl) await writeGlobal(target, 'navigation', { statusUrl: new URL('/test', siteUrl).href })
}
