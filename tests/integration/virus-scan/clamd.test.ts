import { ATTACHMENT_BOUNDS } from '#domain/tickets/attachment.ts'
import { clamdAddressFrom } from '#platform/virus-scan/clamd-address.ts'
import { clamd } from '#platform/virus-scan/clamd.ts'
import { virusScannerSuite } from '../../suites/virus-scanner.suite.ts'
import { ClamdProcess } from '../../support/clamd-process.ts'

virusScannerSuite('the clamd of Debian', async () => {
  const largest = ATTACHMENT_BOUNDS.bytes + 1_024
  const server = new ClamdProcess({ largest })
  await server.start()
  const address = clamdAddressFrom(`unix:${server.socket}`)
  if (address === undefined) throw new Error('An address of its socket.')
  return {
    scanner: clamd(address, { atOnce: 4, waiting: 16, withinMs: 240_000 }),
    largest,
    stop: () => server.stop(),
    start: () => server.start(),
    close: () => server.close(),
  }
})
