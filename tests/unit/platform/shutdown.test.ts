import { expect, it } from 'vitest'
import { silentLog } from '#platform/logger.ts'
import { createShutdown } from '#platform/shutdown.ts'

it('runs its steps once, in the reverse order, and past a step that fails', async () => {
  const shutdown = createShutdown(silentLog)
  const seen: string[] = []
  for (const name of ['database', 'queue', 'listener']) {
    shutdown.add(name, async () => {
      seen.push(name)
      if (name === 'queue') throw new Error('no')
    })
  }
  expect(await Promise.all([shutdown.run('SIGTERM'), shutdown.run('SIGINT')])).toEqual([false, false])
  expect(seen).toEqual(['listener', 'queue', 'database'])
})

it('says that every step worked', async () => {
  const shutdown = createShutdown(silentLog)
  shutdown.add('database', () => {})
  expect(await shutdown.run('SIGTERM')).toBe(true)
})
