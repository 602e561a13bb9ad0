import * as z from 'zod'

/** Where a clamd listens. */
export type ClamdAddress = { readonly host: string; readonly port: number } | { readonly path: string }

const DEFAULT_PORT = 3_310

/** Reads `tcp://host:3310` or `unix:/run/clamav/clamd.ctl`; undefined for anything else. */
export function clamdAddressFrom(text: string): ClamdAddress | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname, port, pathname, username, search, hash } = new URL(text)
  if (`${username}${search}${hash}` !== '') return undefined
  if (protocol === 'unix:') return hostname === '' && /^\/[^%]*[^/%]$/.test(pathname) ? { path: pathname } : undefined
  if (protocol !== 'tcp:' || hostname === '' || (pathname !== '' && pathname !== '/')) return undefined
  return { host: hostname.replaceAll(/^\[|\]$/g, ''), port: port === '' ? DEFAULT_PORT : Number(port) }
}

/** The variable that names a clamd. */
export const ClamdUrl = z.string().transform((text, issues) => {
  const address = clamdAddressFrom(text)
  if (address === undefined) issues.addIssue({ code: 'custom', message: 'has another form' })
  return address ?? z.NEVER
})
