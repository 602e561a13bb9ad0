/** For whom passkeys are made: `id` is the host name they belong to, `origin` the address that pages must come from. */
export type PasskeySite = { readonly id: string; readonly origin: string }

const NUMERIC = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[.*\])$/

/** The site as passkeys know it, or null: browsers make none for a numeric address, nor for an open one that is not their own. */
export const passkeySite = (siteUrl: string): PasskeySite | null => {
  const { hostname, origin, protocol } = new URL(siteUrl)
  if (NUMERIC.test(hostname)) return null
  const isOwn = hostname === 'localhost' || hostname.endsWith('.localhost')
  return protocol === 'https:' || isOwn ? { id: hostname, origin } : null
}
