import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ATTACHMENT_BOUNDS } from '#domain/tickets/attachment.ts'
import { clamdAddressFrom } from '#platform/virus-scan/clamd-address.ts'
import { clamd } from '#platform/virus-scan/clamd.ts'
import { virusScanner } from '#platform/virus-scan/catalog.ts'
import { startClamd, type ClamdEmulator, type ClamdFault } from '../../../emulators/clamd/clamd-server.ts'
import { virusScannerSuite } from '../../../suites/virus-scanner.suite.ts'
import { EICAR } from '../../../support/eicar.ts'

const PATIENT = { atOnce: 4, waiting: 16, withinMs: 120_000 }

virusScannerSuite('the emulator', async () => {
  const largest = ATTACHMENT_BOUNDS.bytes + 1_024
  let server = await startClamd({ largest })
  const { port } = server
  return {
    scanner: clamd({ host: '127.0.0.1', port }, PATIENT),
    largest,
    stop: () => server.close(),
    start: async () => {
      server = await startClamd({ largest, port })
    },
    close: () => server.close(),
  }
})

describe('a scanner', () => {
  let server: ClamdEmulator
  beforeEach(async () => {
    server = await startClamd()
  })
  afterEach(() => server.close())
  const scannerWith = (bounds: Partial<typeof PATIENT> = {}) =>
    clamd({ host: '127.0.0.1', port: server.port }, { ...PATIENT, ...bounds })
  const file = Buffer.alloc(1_048_576, 'x')
  const everythingIsClosed = () => vi.waitFor(() => expect(server.open()).toBe(0), { timeout: 60_000 })

  it.each<[string, ClamdFault, string]>([
    ['hangs up', 'closes at once', 'CUT'],
    ['dies in the middle of a file', 'dies in the middle', 'CUT'],
    ['dies in its answer', 'dies in its answer', 'CUT'],
    ['answers a question that nobody asked', { answers: 'PONG\0' }, 'ANSWER'],
    ['names nothing', { answers: 'stream:  FOUND\0' }, 'ANSWER'],
    ['says OK of something else', { answers: 'other: OK\0' }, 'ANSWER'],
    ['fails', { answers: 'stream: Can not open file ERROR\0' }, 'ANSWER'],
    ['talks without end', { answers: 'stream: OK '.repeat(10_000) }, 'ANSWER'],
    ['is a web server', { answers: 'HTTP/1.1 400 Bad Request\r\n\r\n' }, 'CUT'],
  ])('that %s gives no verdict, keeps no connection, and scans the next file', async (_what, fault, code) => {
    const scanner = scannerWith()
    server.set(fault)
    await expect(scanner.scan(file)).rejects.toMatchObject({ name: 'ScanFailure', fault: code })
    await everythingIsClosed()
    server.set('nothing')
    expect(await scanner.scan(Buffer.from(EICAR))).toMatchObject({ kind: 'infected' })
    await everythingIsClosed()
  })

  it('that says nothing gives no verdict once its time is over, to whoever waits neither', async () => {
    const scanner = scannerWith({ atOnce: 1, withinMs: 30_000 })
    server.set('silent')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const scans = Promise.allSettled([scanner.scan(file), scanner.scan(file)])
    while (server.open() === 0) await new Promise((resolve) => setImmediate(resolve))
    vi.advanceTimersByTime(30_000)
    vi.useRealTimers()
    const failures = await scans
    expect(failures.map((each) => (each.status === 'rejected' ? each.reason : each.status))).toMatchObject([
      { fault: 'LATE' },
      { fault: 'LATE' },
    ])
    await everythingIsClosed()
  })

  it('has a few files at once, a bounded line, and refuses what has no place in it', async () => {
    const scanner = scannerWith({ atOnce: 2, waiting: 3 })
    server.hold()
    const scans = Array.from({ length: 5 }, () => scanner.scan(file))
    await expect(scanner.scan(file)).rejects.toMatchObject({ fault: 'BUSY' })
    await vi.waitFor(() => expect(server.scanned()).toBe(2), { timeout: 60_000 })
    server.release()
    expect(await Promise.all(scans)).toEqual(Array.from({ length: 5 }, () => ({ kind: 'clean' })))
    expect([server.mostAtOnce(), server.scanned()]).toEqual([2, 5])
    await everythingIsClosed()
  })

  it('does not count a name that it cannot find as a verdict', async () => {
    const nowhere = clamd({ path: '/no/such/clamd.ctl' }, PATIENT)
    await expect(nowhere.scan(file)).rejects.toMatchObject({ fault: 'UNREACHABLE' })
  })
})

it('without a scanner every file counts as clean', async () => {
  expect(await virusScanner(undefined).scan(Buffer.from(EICAR))).toEqual({ kind: 'clean' })
})

it.each([
  ['tcp://scanner:3311', { host: 'scanner', port: 3_311 }],
  ['tcp://scanner', { host: 'scanner', port: 3_310 }],
  ['tcp://[::1]:3310/', { host: '::1', port: 3_310 }],
  ['unix:/run/clamav/clamd.ctl', { path: '/run/clamav/clamd.ctl' }],
  ['unix:///run/clamav/clamd.ctl', { path: '/run/clamav/clamd.ctl' }],
])('the address %s is read', (text, address) => {
  expect(clamdAddressFrom(text)).toEqual(address)
})

it.each([
  'scanner:3310',
  'http://scanner',
  'tcp://',
  'tcp://a@scanner',
  'tcp://scanner/x',
  'tcp://scanner?x=1',
  'unix:',
  'unix:/',
  'unix://host/run',
  '',
])('the address "%s" is refused', (text) => {
  expect(clamdAddressFrom(text)).toBeUndefined()
})
