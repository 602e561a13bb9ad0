/** The relying party of passkeys: `id` is its host name, `origin` the address of its pages. */
export type PasskeySite = { readonly id: string; readonly origin: string }

const NUMERIC = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[.*\])$/

/**
 * The relying party for the site's address, or null: browsers create no passkeys for numeric addresses or without
 * https.
 */
export const passkeySite = (siteUrl: string): PasskeySite | null => {
  const { hostname, origin, protocol } = new URL(siteUrl)
  if (NUMERIC.test(hostname)) return null
  const isOwn = hostname === 'localhost' || hostname.endsWith('.localhost')
  return protocol === 'https:' || isOwn ? { id: hostname, origin } : null
}
