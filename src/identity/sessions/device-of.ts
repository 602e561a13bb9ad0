import Bowser from 'bowser'
import type { Device } from '#contracts/http/session.ts'

const KINDS: Readonly<Record<string, Device['kind']>> = { desktop: 'desktop', mobile: 'phone', tablet: 'tablet' }

/**
 * Clients choose these names, and they appear in tables and mails: they are cut to one short line of plain characters.
 */
const plain = (name: string | undefined): string =>
  (name ?? '')
    .replaceAll(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .slice(0, 40)

/** The device behind a `User-Agent`, which is only a claim of the client. */
export const deviceOf = (userAgent: string): Device => {
  if (userAgent.trim() === '') return { browser: '', system: '', kind: 'other' }
  const { browser, os, platform } = Bowser.parse(userAgent)
  return { browser: plain(browser.name), system: plain(os.name), kind: KINDS[platform.type ?? ''] ?? 'other' }
}
