import { guidePath } from '#contracts/guides/topics.ts'

/** Titles are keys of the message catalog under `dashboard.entries`. Drawings are paths inside `viewBox`. */
export type EntryTitle =
  | 'summary'
  | 'services'
  | 'game'
  | 'vps'
  | 'servers'
  | 'tickets'
  | 'balance'
  | 'balanceSummary'
  | 'invoices'
  | 'premium'
  | 'spin'
  | 'activities'
  | 'settings'
  | 'status'
  | 'help'
  | 'blog'
  | 'console'
  | 'files'
  | 'networks'
  | 'startup'
  | 'users'
  | 'panelActivities'
  | 'panelSettings'
  | 'guides'
export type SubEntry = { readonly link: string; readonly title: EntryTitle }
export type Entry = {
  readonly id: string
  readonly title: EntryTitle
  readonly link: string
  readonly svgInactive: string
  readonly svgActive: string
  readonly viewBox: string
  readonly categories: readonly SubEntry[]
}
export type EntryGroup = { readonly id: 'main' | 'payment' | 'general'; readonly entries: readonly Entry[] }

/** External links; absolute, or null if the host has none. */
export type OutsideLinks = { readonly statusUrl: string | null; readonly helpUrl: string | null }
export const noOutsideLinks: OutsideLinks = { statusUrl: null, helpUrl: null }

/** A link that starts with http opens in a new tab (specification section 2). */
export const isOutside = (link: string): boolean => /^https?:/i.test(link)

const viewBox = '0 0 24 24'
const outline = {
  summary: 'M4 5h16M4 12h16M4 19h10',
  services: 'M4 7h16v12H4zM9 7V4h6v3',
  servers: 'M4 5h16v6H4zM4 13h16v6H4zM7 8h1M7 16h1',
  tickets: 'M4 6h16v4a2 2 0 0 0 0 4v4H4v-4a2 2 0 0 0 0-4zM10 6v2M10 11v2M10 16v2',
  balance: 'M4 7h16v12H4zM4 11h16M15 15h2',
  activities: 'M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6zM8.5 12l2.5 2.5 4.5-5',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M13 5h4v4h-4zM7 15h4v4H7z',
  status: 'M3 12h4l3-7 4 14 3-7h4',
  help: 'M4 4h16v16H4zM9.5 9.5h5v3H12v1.5M12 17v.5',
  blog: 'M5 4h14v16H5zM8 8h8M8 12h8M8 16h5',
  console: 'M4 5h16v14H4zM7 9l3 3-3 3M12 15h5',
  files: 'M3 6h6l2 2h10v11H3z',
  networks: 'M9 3h6v5H9zM3 16h6v5H3zM15 16h6v5h-6zM12 8v4M6 16v-4h12v4',
  startup: 'M12 3v9M7 6a8 8 0 1 0 10 0',
  guides: 'M4 5h6l2 2 2-2h6v14h-6l-2 2-2-2H4zM12 7v14',
  users:
    'M5.5 8a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0M3 20v-2l3-3.5h6l3 3.5v2M15.5 4.7a3.5 3.5 0 0 1 0 6.6M18 14.7l3 3.3v2',
} as const
const filled = {
  summary: 'M3 4h18v2H3zM3 11h18v2H3zM3 18h12v2H3z',
  services: 'M3 6h5V3h8v3h5v14H3zM10 6h4V5h-4z',
  servers: 'M3 4h18v7H3zM3 13h18v7H3z',
  tickets: 'M3 5h18v6a1 1 0 0 0 0 2v6H3v-6a1 1 0 0 0 0-2zM9 7v3h2V7zM9 14v3h2v-3z',
  balance: 'M3 6h18v3H3zM3 11h18v9H3z',
  activities: 'M12 2l9 3.4V12c0 5.6-4.4 9-9 10-4.6-1-9-4.4-9-10V5.4z',
  settings: 'M3 6h9V4h6v2h3v2h-3v2h-6V8H3zM3 16h3v-2h6v2h9v2h-9v2H6v-2H3z',
  status: 'M3 11h3l3-8h2l4 13 1-5h5v2h-3l-2 8h-2L10 8l-2 5H3z',
  help: 'M3 3h18v18H3z',
  blog: 'M4 3h16v18H4z',
  console: 'M3 4h18v16H3z',
  files: 'M2 5h8l2 2h10v13H2z',
  networks: 'M8 2h8v7h-3v2h6v4h3v7h-8v-7h3v-2H7v2h3v7H2v-7h3v-4h6V9H8z',
  startup: 'M11 2h2v10h-2zM8 4.6v2.5a6.5 6.5 0 1 0 8 0V4.6a9 9 0 1 1-8 0z',
  guides: 'M3 4h7l1 1v17l-2-2H3zM21 4h-7l-1 1v17l2-2h6z',
  users:
    'M4.5 8a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0M2 21v-3.5L5.5 14h7l3.5 3.5V21zM16 3.7a4.6 4.6 0 0 1 0 8.6zM18 14l4 4v3h-4z',
} as const

const entry = (id: keyof typeof outline, link: string, categories: readonly SubEntry[] = []): Entry => ({
  id,
  title: id,
  link,
  svgInactive: outline[id],
  svgActive: filled[id],
  viewBox,
  categories,
})

/** The dashboard's menu. Sidebar, phone menu, search and shortcuts use this one table. */
export const dashboardEntries = ({ statusUrl, helpUrl }: OutsideLinks): readonly EntryGroup[] => [
  {
    id: 'main',
    entries: [
      entry('summary', '/dashboard/summary'),
      entry('services', '/dashboard/services', [
        { link: '/dashboard/services/game', title: 'game' },
        { link: '/dashboard/services/vps', title: 'vps' },
      ]),
      entry('servers', '/dashboard/servers'),
      entry('tickets', '/dashboard/tickets'),
    ],
  },
  {
    id: 'payment',
    entries: [
      entry('balance', '/dashboard/balance/summary', [
        { link: '/dashboard/balance/summary', title: 'balanceSummary' },
        { link: '/dashboard/balance/invoices', title: 'invoices' },
      ]),
      entry('activities', '/dashboard/activities'),
    ],
  },
  {
    id: 'general',
    entries: [
      entry('settings', '/dashboard/settings'),
      ...(statusUrl ? [entry('status', statusUrl)] : []),
      ...(helpUrl ? [entry('help', helpUrl)] : []),
      entry('blog', '/blog'),
    ],
  },
]

/** The guides, which no menu lists: search finds them, and pages link to them. */
export const guidesEntry: Entry = entry('guides', guidePath('account'))

/** The menu of one server's panel. */
export const panelEntries = (id: string): readonly Entry[] => [
  entry('console', `/panel/${id}/console`),
  entry('files', `/panel/${id}/files`),
  entry('networks', `/panel/${id}/networks`),
  entry('startup', `/panel/${id}/startup`),
  entry('users', `/panel/${id}/users`),
  { ...entry('activities', `/panel/${id}/activities`), id: 'panel-activities', title: 'panelActivities' },
  { ...entry('settings', `/panel/${id}/settings`), id: 'panel-settings', title: 'panelSettings' },
]

/** The entry of a panel at this path; `/panel/{id}/edit/…` belongs to the files. */
export const isPanelEntry = ({ link }: Pick<Entry, 'link'>, path: string, id: string): boolean =>
  path === link ||
  (link.endsWith('/console') && path === `/panel/${id}`) ||
  (link.endsWith('/files') && path.startsWith(`/panel/${id}/edit/`))

/** Pages of the balance outside the menu: while one of them is open, it is the last stop of the balance's branch. */
export const besideBalance: readonly SubEntry[] = [
  { link: '/dashboard/spin', title: 'spin' },
  { link: '/dashboard/premium', title: 'premium' },
]

const under = (path: string) => path.replace(/\/+$/, '').split('/dashboard/')[1] ?? ''

/** The open page of the balance that no entry lists. */
export const stopBesideBalance = (path: string): SubEntry | undefined =>
  besideBalance.find(({ link }) => under(link) === under(path))

/** How an entry relates to a path without its language prefix: compared by the part after /dashboard/. */
export const standing = (link: string, path: string): 'current' | 'open' | 'elsewhere' => {
  const here = under(path)
  const there = under(link)
  // The blog, and every page of a panel, is outside.
  if (there === '') return 'elsewhere'
  if (here === there) return 'current'
  // /dashboard/balance/summary is the first page of the balance: all of /dashboard/balance/ belongs to it.
  const root = there.replace(/\/summary$/, '')
  if (root === 'balance' && stopBesideBalance(path)) return 'open'
  // One ticket has an address beside that of their list (specification section 2).
  if (root === 'tickets' && (here === 'ticket' || here.startsWith('ticket/'))) return 'open'
  return here === root || here.startsWith(`${root}/`) ? 'open' : 'elsewhere'
}

const lastSegment = (link: string) => link.replace(/\/+$/, '').split('/').at(-1)

/** All places of the menus in order: the dashboard's, then inside a panel the panel's. */
const placesOf = (outside: OutsideLinks, panelId: string | undefined): readonly Entry[] =>
  [...dashboardEntries(outside).flatMap((group) => group.entries), ...(panelId ? panelEntries(panelId) : [])].filter(
    ({ link }) => /^\/(dashboard|panel)\//.test(link),
  )

/**
 * The neighbour of the entry whose last segment equals the path's, in the dashboard entries and then the panel's; none
 * past either end (specification section 2). Two entries may have the same last segment (`/dashboard/summary` and
 * `/dashboard/balance/summary`); the one whose whole link is the path is meant; a path of the editor belongs to the
 * files, whatever the file's name. Links that leave dashboard and panel, the blog among them, are skipped: no key would
 * lead on from there.
 */
export const neighbour = (
  path: string,
  by: -1 | 1,
  { outside = noOutsideLinks, panelId }: { outside?: OutsideLinks; panelId?: string | undefined } = {},
): string | undefined => {
  const places = placesOf(outside, panelId)
  const here = path.replace(/\/+$/, '')
  const isWhole = (entry: Entry) =>
    panelId === undefined ? entry.link === here : entry.link === here || isPanelEntry(entry, here, panelId)
  const whole = places.findIndex(isWhole)
  const at = whole === -1 ? places.findIndex(({ link }) => lastSegment(link) === lastSegment(path)) : whole
  return at === -1 ? undefined : places[at + by]?.link
}
