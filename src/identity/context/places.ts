import { BlockList, isIP } from 'node:net'
import { readFileSync, statSync } from 'node:fs'
import { Reader } from 'mmdb-lib'
import type { Response } from 'mmdb-lib'
import * as z from 'zod'
import type { Locale } from '#contracts/locale.ts'
import type { Clock } from '#platform/clock.ts'

/** Where addresses are, as far as this machine knows: nobody outside is asked. */
export interface Places {
  /** City and country in the reader's language; empty where it is not known. */
  of(address: string, locale: Locale): string
}

/** Where there is no database. */
export const noPlaces: Places = { of: () => '' }

/** A database that somebody has put in the place of the old one is seen within this time. */
const LOOK_AGAIN_MS = 60_000

const Names = z.record(z.string(), z.string())
/** The two forms in which country and city databases come. */
const Located = z.object({
  country: z.object({ iso_code: z.string().optional() }).optional().catch(undefined),
  country_code: z.string().optional().catch(undefined),
  city: z
    .union([z.string(), z.object({ names: Names })])
    .optional()
    .catch(undefined),
})

const notPublic = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8] as const,
  ['10.0.0.0', 8] as const,
  ['100.64.0.0', 10] as const,
  ['127.0.0.0', 8] as const,
  ['169.254.0.0', 16] as const,
  ['172.16.0.0', 12] as const,
  ['192.168.0.0', 16] as const,
])
  notPublic.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of [['::', 127] as const, ['fc00::', 7] as const, ['fe80::', 10] as const])
  notPublic.addSubnet(network, bits, 'ipv6')

/** An address that can be somewhere, an IPv4 address in the form of IPv6 as the one it is; null for any other text. */
export const publicAddress = (text: string): string | null => {
  const address = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(text)?.[1] ?? text
  const version = isIP(address)
  if (version === 0) return null
  return notPublic.check(address, version === 4 ? 'ipv4' : 'ipv6') ? null : address
}

const countryIn = (code: string, locale: Locale): string => {
  if (!/^[A-Z]{2}$/.test(code)) return ''
  return new Intl.DisplayNames([locale], { type: 'region', fallback: 'none' }).of(code) ?? ''
}

const describe = (found: unknown, locale: Locale): string => {
  const { data } = Located.safeParse(found)
  if (!data) return ''
  const { city } = data
  const cityName = typeof city === 'string' ? city : (city?.names[locale] ?? city?.names['en'] ?? '')
  const country = countryIn(data.country?.iso_code ?? data.country_code ?? '', locale)
  // It stands in mails: one line of a length that is none to worry about, whatever the file says.
  return [cityName.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').slice(0, 80), country].filter(Boolean).join(', ')
}

type Options = {
  readonly file: string
  readonly clock: Clock
  /** Told when the file cannot be read. What was known before stays known. */
  readonly onFailure: (error: unknown) => void
}

/**
 * Reads a location database in MaxMind's form (mmdb) into memory. Another file of that name is taken without a restart.
 */
export const openPlaces = ({ file, clock, onFailure }: Options): Places => {
  let reader: Reader<Response> | null = null
  let readMtimeMs = -1
  let lookAtMs = -Infinity
  const look = () => {
    if (clock.now() < lookAtMs) return
    lookAtMs = clock.now() + LOOK_AGAIN_MS
    try {
      const { mtimeMs } = statSync(file)
      if (mtimeMs === readMtimeMs) return
      readMtimeMs = mtimeMs
      reader = new Reader<Response>(readFileSync(file))
    } catch (error) {
      onFailure(error)
    }
  }
  return {
    of: (text, locale) => {
      const address = publicAddress(text)
      if (address === null) return ''
      look()
      try {
        return describe(reader?.get(address), locale)
      } catch {
        // A database of IPv4 alone has no answer for IPv6.
        return ''
      }
    },
  }
}

/** Lines with an address, each with its place. */
export const withPlaces = <Line extends { readonly ipAddress: string; readonly place: string }>(
  lines: readonly Line[],
  { places, locale }: { readonly places: Places; readonly locale: Locale },
): Line[] => lines.map((line) => ({ ...line, place: places.of(line.ipAddress, locale) }))
