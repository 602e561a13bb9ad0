import type { Page } from '@playwright/test'
import pg from 'pg'
import { CUT_CONNECTION } from '../support/cut-connection.ts'
import { environmentOf, programOf } from '../support/demo-processes.ts'
import { arrive } from '../support/journey.ts'
import { openTicket } from '../support/open-ticket.ts'
import { pageOf } from '../support/other-page.ts'
import { expect, test } from './test.ts'

const BACK_WITHIN_MS = 90_000

/** A connection that may stand still for as long as a busy machine takes. */
const connected = async (dataDir: string): Promise<pg.Client> => {
  const { DATABASE_URL } = environmentOf(programOf(dataDir, 'control-plane'))
  const client = new pg.Client({ connectionString: DATABASE_URL })
  await client.connect()
  return client
}

/** Sends a reply and kills a program while the reply waits for its ticket in the database. */
const killWhileSending = async (
  dataDir: string,
  { ticketId, send, pid }: { ticketId: string; send: () => Promise<void>; pid: number },
): Promise<void> => {
  const [holder, watcher] = [await connected(dataDir), await connected(dataDir)]
  try {
    await holder.query('begin')
    await holder.query('select 1 from control.tickets where id = $1 for update', [ticketId])
    await send()
    const waiting = async () => {
      const found = await watcher.query(
        `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%control.tickets where id%for update'`,
      )
      return found.rowCount
    }
    await expect.poll(waiting, { timeout: BACK_WITHIN_MS, intervals: [100] }).toBeGreaterThan(0)
    process.kill(pid, 'SIGKILL')
  } finally {
    await Promise.all([holder.end(), watcher.end()])
  }
}

/** The same button again until the text has left the field, as a person presses it. */
const sendUntilTaken = async (page: Page, field: string, button: string): Promise<void> => {
  const text = page.getByRole('textbox', { name: field, exact: true })
  await expect(async () => {
    if ((await text.inputValue()) !== '')
      await page.getByRole('button', { name: button, exact: true }).click({ timeout: 10_000 })
    await expect(text).toHaveValue('', { timeout: 5_000 })
  }).toPass({ timeout: BACK_WITHIN_MS })
}

test('a reply on its way when the control plane or the site is killed is in the ticket once, however often it is sent', async ({
  page,
  browser,
  demo,
  dataDir,
  expectedErrors,
}) => {
  test.setTimeout(600_000)
  expectedErrors.push(...CUT_CONNECTION)
  await arrive(page)
  const id = await openTicket(page)
  const support = await pageOf(browser, demo.url, demo.support)
  await page.goto(`/en/dashboard/ticket/${id}`)
  await support.goto(`/admin/ticket/${id}`)
  const sides = [
    { side: 'customer', of: page, field: 'Reply', button: 'Send' },
    { side: 'support', of: support, field: 'Reply to the customer', button: 'Send the reply' },
  ] as const
  const said: string[] = []
  for (const program of ['control-plane', 'site'] as const)
    for (const { side, of, field, button } of sides)
      await test.step(`${program} dies while ${side} replies`, async () => {
        const text = `Sent by ${side} while ${program} died`
        await of.getByRole('textbox', { name: field, exact: true }).fill(text)
        const killed = programOf(dataDir, program)
        const send = () => of.getByRole('button', { name: button, exact: true }).click()
        await killWhileSending(dataDir, { ticketId: id, send, pid: killed })
        await sendUntilTaken(of, field, button)
        expect(programOf(dataDir, program)).not.toBe(killed)
        said.push(text)
        // Both open pages show it by themselves.
        for (const open of [page.locator('.tk-line'), support.getByRole('article')])
          await expect(open.filter({ hasText: text })).toHaveCount(1, { timeout: BACK_WITHIN_MS })
      })
  const db = await connected(dataDir)
  const lines = await db.query<{ text: string }>(
    `select text from control.ticket_messages where ticket_id = $1 and kind = 'message' order by seq offset 1`,
    [id],
  )
  expect(lines.rows.map(({ text }) => text)).toEqual(said)
  const rings = await db.query(
    `select 1 from control.notifications where text = 'ticket.reply' and data->>'ticketId' = $1`,
    [id],
  )
  expect(rings.rowCount).toBe(2)
  await db.end()
  await page.reload()
  for (const text of said) await expect(page.locator('.tk-line').filter({ hasText: text })).toHaveCount(1)
  await support.context().close()
})
