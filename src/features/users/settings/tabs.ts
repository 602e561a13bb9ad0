/** The settings by page: each has an address of its own, and its sections are its anchors. */
export const TABS = [
  { id: 'profile', path: '/dashboard/settings', sections: ['profile', 'data', 'region', 'discord'] },
  {
    id: 'security',
    path: '/dashboard/settings/security',
    sections: ['password', 'email', 'factor', 'passkeys', 'sftp', 'sessions'],
  },
  { id: 'notifications', path: '/dashboard/settings/notifications', sections: ['notifications'] },
  { id: 'account', path: '/dashboard/settings/account', sections: ['export', 'deletion'] },
] as const
export type TabId = (typeof TABS)[number]['id']
export type SectionId = (typeof TABS)[number]['sections'][number]

/** The address of a section that is on another tab than the one of `path`; null when it is on this one, or nowhere. */
export const sectionElsewhere = (path: string, section: string): string | null => {
  const tab = TABS.find(({ sections }) => sections.some((id) => id === section))
  return tab === undefined || tab.path === path.replace(/\/+$/, '') ? null : `${tab.path}#${section}`
}
