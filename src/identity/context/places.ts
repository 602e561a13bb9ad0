import { BlockList, isIP } from 'node:net'
import { readFileSync, statSync } from 'node:fs'
import { Reader } from 'mmdb-lib'
import type { Response } from 'mmdb-lib'
import * as z from 'zod'
import type { Locale } from '#contracts/locale.ts'
import type { Clock } from '#platform/clock.ts'

/** The place of an address, from data on this machine only. */
export interface Places {
  /** City and country in the reader's language; empty when unknown. */
  of(address: string, locale: Locale): string
}

/** Used when there is no location database. */
export const noPlaces: Places = { of: () => '' }

/** A replaced location database is noticed within this time. */
const LOOK_AGAIN_MS = 60_000

const Names = z.record(z.string(), z.string())
/** The two layouts of country and city databases. */
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

/** The routable address in a text, with IPv4-mapped IPv6 as IPv4; null for any other text. */
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
  // The place appears in mails: it is one line of limited length, whatever the file contains.
  return [cityName.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').slice(0, 80), country].filter(Boolean).join(', ')
}

type Options = {
  readonly file: string
  readonly clock: Clock
  /** Called when the file cannot be read. The previous data stays in use. */
  readonly onFailure: (error: unknown) => void
}

/** Reads a location database in MaxMind's format (mmdb) into memory. A replaced file is loaded without a restart. */
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
        // An IPv4-only database throws for IPv6.
        return ''
      }
    },
  }
}

/** Adds the place to log lines with an address. */
export const withPlaces = <Line extends { readonly ipAddress: string; readonly place: string }>(
  lines: readonly Line[],
  { places, locale }: { readonly places: Places; readonly locale: Locale },
): Line[] => lines.map((line) => ({ ...line, place: places.of(line.ipAddress, locale) }))
