/**
 * The pages of a server's panel by the specification's route, and whether this build has them. Menus and addresses of
 * the panel follow this table, and so do all claims of the landing page and of the premium tiers: a feature that is not built is not
 * sold. `tests/unit/contracts/features.test.ts` compares it with the calls of the API.
 */
export const PANEL_PAGES = {
  console: true,
  files: true,
  databases: false,
  saves: false,
  timers: false,
  networks: true,
  startup: true,
  users: true,
  activities: true,
  settings: true,
} as const

export type PanelPage = keyof typeof PANEL_PAGES
export type BuiltPanelPage = { [Page in PanelPage]: (typeof PANEL_PAGES)[Page] extends true ? Page : never }[PanelPage]

/** All features that texts and prices may name. */
export const FEATURES = { ...PANEL_PAGES, tickets: true, vps: false } as const
export type Feature = keyof typeof FEATURES

export const isBuilt = (feature: Feature): boolean => FEATURES[feature]

const isBuiltPage = (page: PanelPage): page is BuiltPanelPage => PANEL_PAGES[page]

/** The panel's pages in the order of its menu. */
export const builtPanelPages: readonly BuiltPanelPage[] = (Object.keys(PANEL_PAGES) as PanelPage[]).filter(isBuiltPage)

export const panelPageOf = (name: string): BuiltPanelPage | undefined => builtPanelPages.find((page) => page === name)

/** The built page at the name in an address: `/panel/{id}/edit/{path}` is the files with one of them open. */
export const panelPageAt = (name: string): BuiltPanelPage | undefined => panelPageOf(name === 'edit' ? 'files' : name)

/** The entry of a list that names a feature, once the feature is built. */
export const ifBuilt = <Entry>(feature: Feature, entry: Entry): readonly Entry[] => (isBuilt(feature) ? [entry] : [])
