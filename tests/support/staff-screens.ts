import type { Page } from '@playwright/test'
import * as z from 'zod'
import { screensOf } from './screens.ts'

const Oldest = z.object({ docs: z.tuple([z.looseObject({ id: z.string() })]) })

const oldest = async (page: Page, collection: string): Promise<string> => {
  const answer = await page.request.get(`/api/cms/${collection}?limit=1&depth=0&sort=createdAt`)
  return Oldest.parse(await answer.json()).docs[0].id
}

/** The screens of staff with the ids of this ticket, and of a category and a saved reply, for a page on which an administrator is signed in. */
export async function staffScreens(page: Page, ticketId: string): Promise<string[]> {
  const [category, reply] = [await oldest(page, 'ticket-categories'), await oldest(page, 'canned-replies')]
  const ids: Readonly<Record<string, string>> = { ticket: ticketId, category, reply }
  return screensOf('administrator').map((path) => path.replace(/\{(\w+)\}/, (name, key: string) => ids[key] ?? name))
}
