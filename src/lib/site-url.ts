/** The site's own origin, for canonical addresses and the site map. It never ends in a slash. */
export const siteUrl = (): string =>
  (process.env['SITE_URL'] ?? `http://127.0.0.1:${process.env['PORT'] ?? '3000'}`).replace(/\/+$/, '')
