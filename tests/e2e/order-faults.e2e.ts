import type { Page } from '@playwright/test'
import * as z from 'zod'

import { Balance } from '../../src/contracts/http/balance.ts'
import { Server } from '../../src/contracts/http/server.ts'
import { CUT_CONNECTION } from '../support/cut-connection.ts'
import { programOf } from '../support/demo-processes.ts'
import { arrive, topUp } from '../support/journey.ts'
import { waitFor } from '../support/wait-for.ts'
import { expect, test } from './test.ts'

const SETTLED_WITHIN_MS = 150_000

const KILLED_AFTER_MS = [0, 25, 120]

/** The customer's end state, once nothing is open any more. */
async function outcome(page: Page): Promise<{ servers: number; balanceFt: number } | undefined> {
  const answers = await Promise.all([page.request.get('/api/balance'), page.request.get('/api/user/servers')])
  if (!answers.every((answer) => answer.ok())) return undefined
  const balance = Balance.parse(await answers[0].json())
  const servers = z.array(Server).parse(await answers[1].json())
  const isOpen = balance.heldFt !== 0 || servers.some(({ status }) => status === 'installing')
  return isOpen ? undefined : { servers: servers.length, balanceFt: balance.balanceFt }
}

const NO_SERVER = '01990000-0000-7000-8000-00000000ffff'

// The fault points of placement and settlement are killed one by one in the orders' own suite; here the whole product
// runs and the kill comes at moments that nobody chose.
test('kill -9 of the control plane during an order: a server and one charge, or neither', async ({
  page,
  dataDir,
  expectedErrors,
}) => {
  test.setTimeout(600_000)
  expectedErrors.push(...CUT_CONNECTION)
  await arrive(page)
  await topUp(page, 5_000)
  for (const delayMs of KILLED_AFTER_MS) {
    await page.goto('/dashboard/services/game?rent=bot')
    await page.getByLabel('Server name').fill('Watchman')
    await page.getByRole('radio', { name: 'Small' }).check()
    await expect(page.getByRole('region', { name: 'Price' })).toContainText('590')
    const killed = programOf(dataDir, 'control-plane')
    await page.route(
      '**/api/orders',
      async (route) => {
        setTimeout(() => process.kill(killed, 'SIGKILL'), delayMs)
        await route.continue()
      },
      { times: 1 },
    )
    await page.getByRole('button', { name: 'Order and pay' }).click()
    await expect.poll(() => isRunning(killed)).toBe(false)
    const { servers, balanceFt } = await waitFor('the outcome', () => outcome(page), SETTLED_WITHIN_MS)
    test.info().annotations.push({ type: `after ${delayMs} ms`, description: `${servers} servers, ${balanceFt} Ft` })
    expect(balanceFt).toBe(5_000 - 590 * servers)
  }
  // Balance and servers are read without the control plane: the next journey needs it.
  const askedForNone = async () => (await page.request.get(`/api/server/${NO_SERVER}`)).status()
  await expect.poll(askedForNone, { timeout: 120_000 }).toBe(404)
})

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
