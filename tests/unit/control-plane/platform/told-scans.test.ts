import { expect, it } from 'vitest'
import { createLogger } from '#platform/logger.ts'
import { createMetrics } from '../../../../control-plane/platform/metrics.ts'
import { toldScans } from '../../../../control-plane/platform/told-scans.ts'
import { ScannerInMemory } from '../../../factories/virus-scanners.ts'
import { EICAR } from '../../../support/eicar.ts'

it('each outcome of a scan is counted and passed on', async () => {
  const [metrics, scanner] = [createMetrics(), new ScannerInMemory()]
  const told = toldScans(scanner, { metrics, log: createLogger('test', 'silent') })
  scanner.largest = 100
  const [clean, infected, large] = [
    await told.scan(Buffer.from('x')),
    await told.scan(Buffer.from(EICAR)),
    await told.scan(Buffer.alloc(101)),
  ]
  scanner.fault = 'LATE'
  await expect(told.scan(Buffer.from('x'))).rejects.toMatchObject({ fault: 'LATE' })
  expect([clean.kind, infected.kind, large.kind]).toEqual(['clean', 'infected', 'too-large'])
  const { values } = await metrics.virusScans.get()
  expect(Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value]))).toEqual({
    clean: 1,
    infected: 1,
    'too-large': 1,
    failed: 1,
  })
})
