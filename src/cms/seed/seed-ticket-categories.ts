import { ticketCategories } from './content/ticket-categories.ts'
import { createLocalized, type SeedTarget } from './write-localized.ts'

/** Writes the categories of tickets, all of which support of the demo works on. */
export const seedTicketCategories = async (target: SeedTarget): Promise<void> => {
  const ids: string[] = []
  for (const category of ticketCategories) ids.push(await createLocalized(target, 'ticket-categories', category))
  const { payload, req } = target
  await payload.update({
    collection: 'roles',
    where: { slug: { equals: 'support' } },
    data: { ticketCategories: ids },
    depth: 0,
    overrideAccess: true,
    req,
  })
}
