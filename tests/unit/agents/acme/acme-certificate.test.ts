import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { ACME_FAULT_NAMES } from '../../../../agents/platform/fault-point.ts'
import { realDisk } from '../../../../agents/platform/disk.ts'
import { AcmeRig, NAME, endOf, serialOf } from '../../../support/acme-rig.ts'
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

describe('the first certificate', () => {
  it('says what is missing, then serves a chain for the name and its key', async () => {
    const { certificate, served } = rig.start()
    expect(certificate.pair).toBeUndefined()
    expect(certificate.missing()).toBe(
      `This node has no certificate yet: it asks ${new URL(rig.url).host} for one of ${NAME}.`,
    )
    await rig.until('the certificate', () => served.length === 1)
    expect(certificate.missing()).toBeUndefined()
    expect(certificate.pair).toEqual(served[0])
    expect(certificate.pair?.cert.match(/BEGIN CERTIFICATE/g)).toHaveLength(2)
    expect(rig.directory.accounts).toBe(1)
    expect(rig.directory.orders).toMatchObject([{ name: NAME, status: 'valid' }])
    expect(readdirSync(join(rig.folder, 'acme')).sort()).toEqual(['account.json', 'certificate.json'])
  })

  it('opens the port of the check only while the authority looks', async () => {
    const { served } = rig.start()
    await rig.until('the certificate', () => served.length === 1)
    expect(rig.directory.checks).toHaveLength(1)
    await expect(fetch(`http://127.0.0.1:${rig.challengePort}/`)).rejects.toThrow('fetch failed')
  })

  it('keeps its files to itself and says neither key', async () => {
    const { certificate } = await rig.obtain()
    for (const name of readdirSync(join(rig.folder, 'acme'))) {
      expect(statSync(fileOf(name)).mode & 0o777).toBe(0o600)
    }
    expect(statSync(join(rig.folder, 'acme')).mode & 0o777).toBe(0o700)
    const account = JSON.parse(readFileSync(fileOf('account.json'), 'utf8')) as { key: string }
    const secrets = [account.key, certificate.pair?.key ?? ''].flatMap((pem) => pem.split('\n').slice(1, -2))
    expect(secrets.length).toBeGreaterThan(4)
    for (const secret of secrets) expect(rig.lines.join('\n')).not.toContain(secret)
  })

  it('is served although the disk is full, and said', async () => {
    const full = { ...realDisk, writeAtomically: () => {} }
    const writeAtomically = (file: string, text: string): void => {
      if (file.endsWith('certificate.json')) throw new Error('ENOSPC: no space left on device')
      realDisk.writeAtomically(file, text)
    }
    const { served } = rig.start({}, { ...full, writeAtomically })
    await rig.until('the certificate', () => served.length === 1)
    expect(rig.lines.join('\n')).toContain('the new certificate could not be written down')
  })

  it('asks with the binding of an external account, and says what is missing without', async () => {
    const externalAccount = { keyId: 'customer-7', hmacKey: Buffer.alloc(32, 7).toString('base64url') }
    await rig.close()
    rig = await AcmeRig.open(temporaryFolder(), { externalAccount })
    expect((await rig.fail({})).reason).toContain('wants AGENT_ACME_EAB_KID and AGENT_ACME_EAB_HMAC.')
    const settings = { directory: rig.url, name: NAME, email: 'host@bakter.test', httpPort: rig.challengePort }
    const { served } = rig.start({ settings: { ...settings, externalAccount } })
    await rig.until('the certificate', () => served.length === 1)
    expect(rig.lines.join('\n')).not.toContain(externalAccount.hmacKey)
  })
})

describe('an agent that is started again', () => {
  it('serves what it has at once and orders nothing', async () => {
    const { served } = await rig.obtain()
    const again = rig.start()
    expect(again.certificate.pair).toEqual(served[0])
    await rig.pass(DAY_MS, HOUR_MS)
    expect(again.served).toEqual([])
    expect(rig.directory.orders).toHaveLength(1)
    expect(rig.directory.accounts).toBe(1)
  })

  it('orders with the same account for another name, and does not serve the old certificate', async () => {
    await rig.obtain()
    const settings = { directory: rig.url, name: 'node2.bakter.test', email: undefined, externalAccount: undefined }
    const { certificate, served } = rig.start({ settings: { ...settings, httpPort: rig.challengePort } })
    expect(certificate.pair).toBeUndefined()
    await rig.until('the certificate', () => served.length === 1)
    expect(rig.directory.accounts).toBe(1)
    expect(rig.lines.join('\n')).toContain('the certificate on disk is not served: it is not for node2.bakter.test')
  })

  it('serves the certificate of the old authority until the new one gives its own', async () => {
    const { served } = await rig.obtain()
    const folder = rig.folder
    await rig.close()
    rig = await AcmeRig.open(folder)
    const again = rig.start()
    expect(again.certificate.pair).toEqual(served[0])
    await rig.until('the new certificate', () => again.served.length === 1)
    expect(rig.directory.accounts).toBe(1)
  })

  it.each(['account.json', 'certificate.json', 'attempts.json'])(
    'makes a damaged %s anew, and does not quote it',
    async (name) => {
      await rig.obtain()
      const secret = 'MIGHAgEAMBMGByqGSM49AgEG'
      for (const text of [
        '',
        '{',
        `"-----BEGIN PRIVATE KEY-----${secret}`,
        secret,
        '[]',
        '{"version":1}',
        '\0\0\0\0',
      ]) {
        writeFileSync(fileOf(name), text)
        if (name === 'account.json') rmSync(fileOf('certificate.json'), { force: true })
        const { certificate } = rig.start()
        await rig.until('a certificate', () => certificate.missing() === undefined)
      }
      expect(rig.lines.join('\n')).toContain('a file of ACME is damaged; it is made anew')
      // Node quotes the first ten letters of what is no JSON.
      expect(rig.lines.join('\n')).not.toContain(secret.slice(0, 8))
      if (name !== 'attempts.json') expect(readFileSync(fileOf(name), 'utf8')).toContain('BEGIN')
    },
  )

  it('makes a pair that does not fit together anew', async () => {
    const first = await rig.obtain()
    const stored = JSON.parse(readFileSync(fileOf('certificate.json'), 'utf8')) as object
    const account = JSON.parse(readFileSync(fileOf('account.json'), 'utf8')) as { key: string }
    writeFileSync(fileOf('certificate.json'), JSON.stringify({ ...stored, key: account.key }))
    const { certificate, served } = rig.start()
    expect(certificate.pair).toBeUndefined()
    await rig.until('a certificate', () => served.length === 1)
    expect(served[0]).not.toEqual(first.served[0])
    expect(rig.lines.join('\n')).toContain('is not served: it is not the certificate of the key')
  })

  it('goes on where a folder stands in the place of a file', async () => {
    mkdirSync(join(rig.folder, 'acme', 'account.json'), { recursive: true })
    const { certificate } = rig.start()
    await rig.until('the failure', () => rig.failures > 0)
    expect(certificate.missing()).toContain('EISDIR')
  })

  it('waits five minutes when the one before it died in the middle, however often it is started', async () => {
    const dies = new Promise<never>(() => {})
    rig.start({ respond: () => dies })
    // In steps so small that a slow answer of the directory does not take the five minutes that are waited below.
    await rig.until('the order', () => rig.directory.orders.length === 1, 500)
    for (let restart = 0; restart < 20; restart += 1) {
      rig.start()
      await rig.pass(10_000, 1_000)
    }
    expect(rig.directory.orders).toHaveLength(1)
    const { served, certificate } = rig.start()
    expect(certificate.missing()).toContain('The last attempt: It was interrupted. The next one: not before ')
    await rig.until('the certificate', () => served.length === 1)
    expect(rig.directory.orders).toHaveLength(2)
    expect(rig.directory.accounts).toBe(1)
  })
})

describe('an agent that is killed in the middle', () => {
  it.each(ACME_FAULT_NAMES)(
    'at %s has one account and soon a certificate, and does not order at once',
    async (name) => {
      let isReached = false
      const startedMs = rig.clock.now()
      const killed = rig.start({
        faults: async (at) => {
          if (at !== name) return
          isReached = true
          await new Promise(() => {})
        },
      })
      // In steps so small that a slow answer of the directory does not take the five minutes that are waited below.
      await rig.until('the fault point', () => isReached, 500)
      killed.certificate.close()
      const orders = rig.directory.orders.length
      const { certificate } = rig.start()
      expect(certificate.missing() === undefined).toBe(name === 'acme.stored')
      await rig.pass(startedMs + 4 * MINUTE_MS - rig.clock.now(), 10_000)
      expect(rig.directory.orders).toHaveLength(orders)
      await rig.until('the certificate', () => certificate.missing() === undefined)
      expect(rig.directory.accounts).toBe(1)
      expect(rig.directory.orders.length).toBeLessThanOrEqual(2)
    },
  )
})

describe('a renewal', () => {
  it('comes at two thirds of the life and no sooner, and the old certificate is served until then', async () => {
    const { certificate, served } = await rig.obtain()
    const [first] = served
    await rig.pass(59 * DAY_MS, 6 * HOUR_MS)
    expect(served).toHaveLength(1)
    expect(certificate.pair).toEqual(first)
    await rig.pass(DAY_MS, HOUR_MS)
    await rig.until('the renewal', () => served.length === 2)
    expect(certificate.pair).toEqual(served[1])
    expect(rig.directory.accounts).toBe(1)
    expect(rig.directory.orders).toHaveLength(2)
  })

  it('that fails keeps the old certificate, tries ever more seldom, and warns once a day in the last 14 days', async () => {
    const { certificate, served, alarms } = await rig.obtain()
    const [first] = served
    if (first === undefined) throw new Error('There is no certificate.')
    rig.directory.faults.serverError = { route: 'directory', times: Number.POSITIVE_INFINITY }
    await rig.pass(endOf(first) - rig.clock.now() - 15 * DAY_MS, 6 * HOUR_MS)
    expect(alarms).toEqual([])
    const asked = rig.directory.count('directory')
    await rig.pass(11 * DAY_MS, HOUR_MS)
    expect(certificate.pair).toEqual(first)
    expect(certificate.missing()).toBeUndefined()
    expect(rig.directory.count('directory') - asked).toBeLessThanOrEqual(12)
    expect(alarms.length).toBeGreaterThanOrEqual(10)
    expect(alarms.length).toBeLessThanOrEqual(11)
    expect(new Set(alarms)).toEqual(new Set([`certificate-ends ${new Date(endOf(first)).toISOString()}`]))
    await rig.pass(5 * DAY_MS, 6 * HOUR_MS)
    expect(certificate.missing()).toContain('This node has a certificate that is over')
    expect(certificate.pair).toEqual(first)
    rig.directory.heal()
    await rig.pass(2 * DAY_MS, HOUR_MS)
    await rig.until('the renewal', () => served.length === 2)
    expect(certificate.missing()).toBeUndefined()
  })

  it('does not run in a circle when the authority gives what is nearly over', async () => {
    rig.directory.life = () => ({ startsAtMs: rig.clock.now() - 89 * DAY_MS, endsAtMs: rig.clock.now() + DAY_MS })
    await rig.obtain()
    await rig.pass(11 * HOUR_MS, 10 * MINUTE_MS)
    expect(rig.directory.orders).toHaveLength(1)
  })

  it('looks at the clock at least each hour: timers stop while a machine sleeps, and cannot wait for two months', async () => {
    const { delays, timers } = rig.recordedTimers()
    const { served } = rig.start({ timers })
    await rig.until('the certificate', () => served.length === 1)
    await rig.pass(3 * HOUR_MS, 10 * MINUTE_MS)
    expect(delays.filter((ms) => ms === HOUR_MS).length).toBeGreaterThanOrEqual(3)
    expect(Math.max(...delays)).toBe(HOUR_MS)
  })

  it('comes when the authority wants it, and says which certificate it replaces [RFC 9773]', async () => {
    const serialOfId = (id = ''): string => Buffer.from(id.split('.')[1] ?? '', 'base64url').toString('hex')
    const day = (count: number): string => new Date(rig.clock.now() + count * DAY_MS).toISOString()
    rig.directory.window = { start: day(10), end: day(11) }
    const { served } = await rig.obtain()
    const [first] = served
    if (first === undefined) throw new Error('There is no certificate.')
    await rig.pass(9 * DAY_MS, 6 * HOUR_MS)
    expect(served).toHaveLength(1)
    await rig.pass(1.5 * DAY_MS, HOUR_MS)
    await rig.until('the renewal', () => served.length === 2)
    expect(BigInt(`0x${serialOfId(rig.directory.orders[1]?.replaces)}`)).toBe(BigInt(`0x${serialOf(first)}`))
    expect(rig.directory.count('info')).toBeLessThan(60)
  })

  it('names what it replaces once: an order that got stuck does not keep the next one from being taken', async () => {
    const { served } = await rig.obtain()
    rig.directory.window = { start: '2020-01-01T00:00:00Z', end: '2020-01-02T00:00:00Z' }
    rig.directory.faults.garbage = 'certificate'
    await rig.pass(6 * HOUR_MS, HOUR_MS)
    await rig.until('the failure', () => rig.failures > 0)
    expect(rig.directory.orders[1]?.replaces).toBeDefined()
    rig.directory.heal()
    await rig.until('the renewal', () => served.length === 2)
    expect(rig.directory.orders.at(-1)?.replaces).toBeUndefined()
  })

  it('comes once in an hour at most, however often the agent is started while the authority wants it [RFC 9773]', async () => {
    rig.directory.window = { start: '2020-01-01T00:00:00Z', end: '2020-01-02T00:00:00Z' }
    await rig.obtain()
    for (let restart = 0; restart < 10; restart += 1) {
      rig.start()
      await rig.pass(5 * MINUTE_MS, MINUTE_MS)
    }
    expect(rig.directory.orders).toHaveLength(1)
    expect(rig.directory.count('info')).toBeGreaterThanOrEqual(10)
    const { served } = rig.start()
    await rig.pass(HOUR_MS, 5 * MINUTE_MS)
    await rig.until('the renewal', () => served.length === 1)
    expect(rig.directory.orders).toHaveLength(2)
  })

  it('does not run in a circle when the authority always wants it, nor stops when it cannot be asked', async () => {
    rig.directory.window = { start: '2020-01-01T00:00:00Z', end: '2020-01-02T00:00:00Z' }
    const { served } = await rig.obtain()
    await rig.pass(DAY_MS, 10 * MINUTE_MS)
    expect(rig.directory.orders.length).toBeLessThanOrEqual(5)
    rig.directory.faults.garbage = 'info'
    const before = served.length
    await rig.pass(61 * DAY_MS, 6 * HOUR_MS)
    await rig.until('the renewal', () => served.length > before)
  })
})
