'use client'

/**
 * The first reads of every page of the frame. The browser requests them with the page's own scripts, and the scripts find
 * them there instead of beginning to ask once they run. A component of the browser, because the server would announce
 * them with every prefetched page.
 */
const FIRST_READS = ['/api/user/me', '/api/user/servers', '/api/balance'] as const

export const FirstReads = () =>
  FIRST_READS.map((path) => <link key={path} rel="preload" as="fetch" href={path} crossOrigin="anonymous" />)
