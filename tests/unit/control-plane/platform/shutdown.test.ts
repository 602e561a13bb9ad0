import { expect, it } from 'vitest'
import { createLogger } from '../../../../control-plane/platform/logger.ts'
import { createShutdown } from '../../../../control-plane/platform/shutdown.ts'

it('runs its steps once, in the reverse order, and past a step that fails', async () => {
  const shutdown = createShutdown(createLogger('test', 'silent'))
  const seen: string[] = []
  for (const name of ['database', 'queue', 'listener']) {
    shutdown.add(name, async () => {
      seen.push(name)
      if (name === 'queue') throw new Error('no')
    })
  }
  await Promise.all([shutdown.run('SIGTERM'), shutdown.run('SIGINT')])
  expect(seen).toEqual(['listener', 'queue', 'database'])
})
