/** Titles are keys of the message catalog under `dashboard.entries`. Drawings are paths inside `viewBox`. */
export type EntryTitle = 'summary' | 'services' | 'game' | 'vps' | 'servers' | 'balance' | 'console'
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
export type EntryGroup = { readonly id: 'main' | 'payment'; readonly entries: readonly Entry[] }

const viewBox = '0 0 24 24'
const outline = {
  summary: 'M4 5h16M4 12h16M4 19h10',
  services: 'M4 7h16v12H4zM9 7V4h6v3',
  servers: 'M4 5h16v6H4zM4 13h16v6H4zM7 8h1M7 16h1',
  balance: 'M4 7h16v12H4zM4 11h16M15 15h2',
  console: 'M4 5h16v14H4zM7 9l3 3-3 3M12 15h5',
} as const
const filled = {
  summary: 'M3 4h18v2H3zM3 11h18v2H3zM3 18h12v2H3z',
  services: 'M3 6h5V3h8v3h5v14H3zM10 6h4V5h-4z',
  servers: 'M3 4h18v7H3zM3 13h18v7H3z',
  balance: 'M3 6h18v3H3zM3 11h18v9H3z',
  console: 'M3 4h18v16H3z',
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

/** The dashboard's menu: what is in it exists. Sidebar, phone menu and shortcuts read this one table. */
export const dashboardEntries: readonly EntryGroup[] = [
  {
    id: 'main',
    entries: [
      entry('summary', '/dashboard/summary'),
      entry('services', '/dashboard/services', [
        { link: '/dashboard/services/game', title: 'game' },
        { link: '/dashboard/services/vps', title: 'vps' },
      ]),
      entry('servers', '/dashboard/servers'),
    ],
  },
  { id: 'payment', entries: [entry('balance', '/dashboard/balance/summary')] },
]

/** The menu of one server's panel. */
export const panelEntries = (id: string): readonly Entry[] => [entry('console', `/panel/${id}/console`)]

const under = (path: string) => path.replace(/\/+$/, '').split('/dashboard/')[1] ?? ''

/** How an entry stands to a path without its language prefix: compared by what follows /dashboard/. */
export const standing = (link: string, path: string): 'current' | 'open' | 'elsewhere' => {
  const here = under(path)
  const there = under(link)
  if (here === there) return 'current'
  // /dashboard/balance/summary is the first page of the balance: all of /dashboard/balance/ belongs to it.
  const root = there.replace(/\/summary$/, '')
  return here === root || here.startsWith(`${root}/`) ? 'open' : 'elsewhere'
}

/**
 * The neighbour of the entry whose last segment equals the path's, in the dashboard entries and then the panel's; past
 * either end there is none (specification section 2).
 */
export const neighbour = (path: string, by: -1 | 1, panelId?: string): string | undefined => {
  const all = [...dashboardEntries.flatMap((group) => group.entries), ...(panelId ? panelEntries(panelId) : [])]
  const last = (link: string) => link.replace(/\/+$/, '').split('/').at(-1)
  const at = all.findIndex((candidate) => last(candidate.link) === last(path))
  return at === -1 ? undefined : all[at + by]?.link
}
