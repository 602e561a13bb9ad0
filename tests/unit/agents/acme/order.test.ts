import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { AcmeNetwork } from '../../../../agents/acme/network.ts'
import type { Faults } from '../../../emulators/acme/directory.ts'
import { AcmeRig, NAME, hereOnly } from '../../../support/acme-rig.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

let rig: AcmeRig
beforeEach(async () => {
  rig = await AcmeRig.open(temporaryFolder())
})
afterEach(() => rig.close())

const fileOf = (name: string): string => join(rig.folder, 'acme', name)
/** Fails once, serves nothing, and says why. */
const reasonOf = async (faults: Partial<Faults>): Promise<string> => {
  const { certificate, reason } = await rig.fail(faults)
  expect(certificate.pair).toBeUndefined()
  return reason
}

describe('an authority that fails', () => {
  it('is asked again at once with a new nonce when it refuses one, and not without end', async () => {
    rig.directory.faults.badNonce = 1
    await rig.obtain()
    expect(rig.directory.orders).toHaveLength(1)
    rmSync(join(rig.folder, 'acme'), { recursive: true })
    mkdirSync(join(rig.folder, 'acme'))
    const asked = rig.directory.count('account')
    expect(await reasonOf({ badNonce: 1_000 })).toContain('badNonce: Another one, please.')
    expect(rig.directory.count('account') - asked).toBe(4)
  })

  it.each([
    ['seconds', (): string => String(2 * 24 * 3_600)],
    ['a date', (): string => new Date(rig.clock.now() + 2 * DAY_MS).toUTCString()],
  ])('is left alone for as long as it asks, in %s, over a restart too', async (_form, retryAfter) => {
    const reason = await reasonOf({ rateLimited: { route: 'order', times: 1, retryAfter: retryAfter() } })
    expect(reason).toContain('rateLimited: Too many of them.')
    expect(rig.lines.join('\n')).toContain('"operator":true')
    const asked = rig.directory.requests.length
    await rig.pass(DAY_MS, HOUR_MS)
    const { served } = rig.start()
    await rig.pass(0.9 * DAY_MS, HOUR_MS)
    expect(rig.directory.requests).toHaveLength(asked)
    await rig.pass(0.2 * DAY_MS, HOUR_MS)
    await rig.until('the certificate', () => served.length === 1)
  })

  it('is asked four times in the first hour of an outage at most', async () => {
    await reasonOf({ serverError: { route: 'directory', times: Number.POSITIVE_INFINITY } })
    await rig.pass(HOUR_MS, MINUTE_MS)
    expect(rig.directory.count('directory')).toBeLessThanOrEqual(4)
    expect(rig.directory.count('directory')).toBeGreaterThan(1)
    expect(rig.lines.filter((line) => line.includes('"operator":true'))).toHaveLength(1)
  })

  it.each<[string, Partial<Faults>, string]>([
    ['says why its check failed', { invalidChallenge: true }, `could not check ${NAME}: The text at ${NAME} is wrong.`],
    ['never makes the order ready', { neverReady: true }, 'does not finish the order.'],
    ['gives the order up', { orderInvalid: true }, 'gives the order up: The authority changed its mind.'],
    ['never finishes', { processingPolls: Number.POSITIVE_INFINITY }, 'does not finish the order.'],
    [
      'is down with a pause',
      { serverError: { route: 'finalize', times: 1, retryAfter: '60' } },
      'Down for maintenance.',
    ],
    ['cuts the line', { cut: 'order' }, 'cannot be reached: socket hang up.'],
    ['answers nonsense', { garbage: 'order' }, 'names no order.'],
    ['answers nonsense as directory', { garbage: 'directory' }, 'gives an answer that is no ACME.'],
    ['gives a certificate for another name', { wrongName: 'other.test' }, `not served: it is not for ${NAME}.`],
    ['gives no certificate', { garbage: 'certificate' }, 'not served: it cannot be read.'],
    ['names an address that is readable', { unsafeOrder: 'http://198.51.100.1/a' }, 'an address that is not https.'],
  ])('%s: there is one sentence, a pause, and then a certificate', async (_what, faults, sentence) => {
    const { certificate, reason } = await rig.fail(faults)
    expect(reason).toContain(sentence)
    const orders = rig.directory.orders.length
    await rig.pass(4 * MINUTE_MS, 30_000)
    expect(rig.directory.orders).toHaveLength(orders)
    rig.directory.heal()
    await rig.until('the certificate', () => certificate.missing() === undefined)
    await expect(fetch(`http://127.0.0.1:${rig.challengePort}/`)).rejects.toThrow('fetch failed')
  })

  it('may take its time with the order, and is asked no sooner than it says', async () => {
    Object.assign(rig.directory.faults, { processingPolls: 4, pollRetryAfter: '20' })
    const { delays, timers } = rig.recordedTimers()
    const { served } = rig.start({ timers })
    await rig.until('the certificate', () => served.length === 1)
    expect(delays.filter((ms) => ms === 20_000).length).toBeGreaterThanOrEqual(4)
    expect(delays.filter((ms) => ms < 20_000)).toEqual([])
  })

  it('that has lost the account gets a new one, once', async () => {
    const { served } = await rig.obtain()
    const before = readFileSync(fileOf('account.json'), 'utf8')
    rig.directory.expireAccounts()
    await rig.pass(60 * DAY_MS, 6 * HOUR_MS)
    await rig.until('the renewal', () => served.length === 2)
    expect(readFileSync(fileOf('account.json'), 'utf8')).not.toBe(before)
    expect(rig.directory.accounts).toBe(1)
  })

  it('gets nothing more once the agent ends', async () => {
    rig.directory.faults.processingPolls = Number.POSITIVE_INFINITY
    const { certificate } = rig.start()
    await rig.until('the order', () => rig.directory.orders.some(({ status }) => status === 'processing'))
    certificate.close()
    await rig.pass(MINUTE_MS, 1_000)
    const asked = rig.directory.requests.length
    await rig.pass(DAY_MS, HOUR_MS)
    expect(rig.directory.requests).toHaveLength(asked)
  })
})

describe('what goes over the line', () => {
  it('is nothing but questions to the directory, and no key', async () => {
    const seen: string[] = []
    const network: AcmeNetwork = (request) => {
      seen.push(`${request.url} ${request.body ?? ''}`)
      return hereOnly(request)
    }
    const { served, certificate } = rig.start({ network })
    await rig.until('the certificate', () => served.length === 1)
    const { origin } = new URL(rig.url)
    expect(seen.filter((line) => !line.startsWith(`${origin}/`))).toEqual([])
    const account = JSON.parse(readFileSync(fileOf('account.json'), 'utf8')) as { key: string }
    const bodies = seen.join('\n')
    const decoded = [...bodies.matchAll(/"(?:payload|protected)":"([^"]*)"/g)].map(([, part = '']) =>
      Buffer.from(part, 'base64url').toString('latin1'),
    )
    expect(decoded.length).toBeGreaterThan(10)
    for (const key of [account.key, certificate.pair?.key ?? '']) {
      const raw = Buffer.from(key.split('\n').slice(1, -2).join(''), 'base64')
      // The private number stands at the same place in every P-256 key of PKCS #8.
      const secret = raw.subarray(36, 68)
      expect(decoded.some((text) => text.includes(secret.toString('latin1')))).toBe(false)
      expect(decoded.some((text) => text.includes(secret.toString('base64url')))).toBe(false)
    }
    expect(decoded.join('')).not.toContain('"d":')
  })
})
