import type { Config, Plugin } from 'payload'
import { isAdministrator } from '../access/grants.ts'
import { isOfTickets } from '../admin/ticket-area.ts'

const hidden = ({ user }: { user: unknown }): boolean => !isAdministrator(user)

/**
 * The admin shows support only the ticket system, even where a collection is public; access rules decide about reading.
 */
export const hideFromSupport: Plugin = (config: Config): Config => ({
  ...config,
  collections: (config.collections ?? []).map((collection) =>
    isOfTickets(collection.slug) ? collection : { ...collection, admin: { ...collection.admin, hidden } },
  ),
  globals: (config.globals ?? []).map((global) => ({ ...global, admin: { ...global.admin, hidden } })),
})
