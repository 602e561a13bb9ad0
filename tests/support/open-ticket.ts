import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { TicketCategories, TicketView } from '../../src/contracts/http/ticket.ts'

type Opening = { readonly title: string; readonly message: string; readonly categoryId?: string }

/** Opens a ticket of the signed-in person without its form, in the first category if none is named. */
export async function openedTicket(page: Page, { categoryId, ...opening }: Opening): Promise<TicketView> {
  const { origin } = new URL((await page.request.get('/en')).url())
  const categories = async () => TicketCategories.parse(await (await page.request.get('/api/ticket/categories')).json())
  const answer = await page.request.post('/api/ticket', {
    headers: { origin, 'idempotency-key': randomUUID() },
    data: { ...opening, categoryId: categoryId ?? (await categories())[0]?.id },
  })
  if (!answer.ok()) throw new Error(`the ticket was refused: ${await answer.text()}`)
  return TicketView.parse(await answer.json())
}

/** As above; returns the id alone. */
export const openTicket = async (
  page: Page,
  opening: Opening = { title: 'It stops', message: 'It stops every **night**.' },
): Promise<string> => (await openedTicket(page, opening)).ticket.id
