import { expect, it } from 'vitest'
import { toldScans } from '#platform/virus-scan/told-scans.ts'
import { ScannerInMemory } from '../../../factories/virus-scanners.ts'
import { EICAR } from '../../../support/eicar.ts'

it('each outcome of a scan is counted and passed on, and told unless the file is clean', async () => {
  const scanner = new ScannerInMemory()
  const [counted, told]: [string[], object[]] = [[], []]
  const log = { info: () => {}, error: () => {}, warn: (fields: object) => void told.push(fields) }
  const scans = toldScans(scanner, { log, count: (outcome) => void counted.push(outcome) })
  scanner.largest = 100
  const [clean, infected, large] = [
    await scans.scan(Buffer.from('x'), 'anna'),
    await scans.scan(Buffer.from(EICAR)),
    await scans.scan(Buffer.alloc(101)),
  ]
  scanner.fault = 'LATE'
  await expect(scans.scan(Buffer.from('x'))).rejects.toMatchObject({ fault: 'LATE' })
  expect([clean.kind, infected.kind, large.kind]).toEqual(['clean', 'infected', 'too-large'])
  expect(counted).toEqual(['clean', 'infected', 'too-large', 'failed'])
  expect(told).toEqual([
    { kind: 'infected', name: 'Eicar', bytes: EICAR.length },
    { kind: 'too-large', bytes: 101 },
    { fault: 'LATE', bytes: 1 },
  ])
  expect(scanner.accounts[0]).toBe('anna')
})
