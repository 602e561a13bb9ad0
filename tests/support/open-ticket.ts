import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { TicketCategories, TicketView } from '../../src/contracts/http/ticket.ts'

/** Opens a ticket of the signed-in person without its form; returns its id. */
export async function openTicket(
  page: Page,
  { title, message }: { title: string; message: string } = { title: 'It stops', message: 'It stops every **night**.' },
): Promise<string> {
  const { origin } = new URL((await page.request.get('/en')).url())
  const [category] = TicketCategories.parse(await (await page.request.get('/api/ticket/categories')).json())
  const answer = await page.request.post('/api/ticket', {
    headers: { origin, 'idempotency-key': randomUUID() },
    data: { title, message, categoryId: category?.id },
  })
  if (!answer.ok()) throw new Error(`the ticket was refused: ${await answer.text()}`)
  return TicketView.parse(await answer.json()).ticket.id
}
