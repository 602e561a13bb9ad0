import { afterAll, beforeAll, expect, test } from 'vitest'

import { openIdentityDatabase, type IdentityDatabase } from '../../../src/identity/context/database.ts'
import { FaultProxy } from '../../support/fault-proxy.ts'
import { createIdentityDatabase } from '../../support/identity-context.ts'
import { waitFor } from '../../support/wait-for.ts'

let database: Awaited<ReturnType<typeof createIdentityDatabase>>
let proxy: FaultProxy
let behind: IdentityDatabase
let straight: IdentityDatabase
beforeAll(async () => {
  database = await createIdentityDatabase()
  const url = new URL(database.url)
  proxy = new FaultProxy(Number(url.port))
  url.port = new URL(await proxy.open()).port
  behind = openIdentityDatabase(url.href)
  straight = openIdentityDatabase(database.url)
})
afterAll(async () => {
  await behind.close()
  await straight.close()
  await proxy.close()
  await database.drop()
})

const notify = (text: string) => straight.query('select pg_notify($1, $2)', ['a_channel', text])

test('what is told arrives, and every loss of the connection is told as a gap', async () => {
  const heard: string[] = []
  let gaps = 0
  const stop = behind.listen('a_channel', { onMessage: (text) => heard.push(text), onGap: () => (gaps += 1) })
  await waitFor('the connection', () => gaps === 1)
  await notify('one')
  await waitFor('the word', () => heard.includes('one'))

  proxy.reset()
  await waitFor('the next connection', () => gaps === 2)
  await notify('two')
  await waitFor('the word', () => heard.includes('two'))

  proxy.refuse(true)
  await notify('three')
  proxy.refuse(false)
  await waitFor('the connection after a refusal', () => gaps === 3)

  // Nobody says that the other end is gone.
  const dialled = proxy.accepted
  proxy.flow({ toTarget: 'hold', toClient: 'hold' })
  await waitFor('another attempt', () => proxy.accepted > dialled)
  proxy.flow({ toTarget: 'pass', toClient: 'pass' })
  await waitFor('the connection after the silence', () => gaps === 4)
  await notify('four')
  await waitFor('the word', () => heard.includes('four'))
  expect(heard).toEqual(['one', 'two', 'four'])

  await stop()
  await notify('five')
  const left = await waitFor('the end of the connection', async () => {
    const rows = await straight.query(
      "select 1 from pg_stat_activity where application_name = 'site-listen' and datname = current_database()",
    )
    return rows.length === 0
  })
  expect(left).toBe(true)
  expect(heard).not.toContain('five')
})
