'use client'
import { createContext, useContext, useMemo } from 'react'
import type { ReactNode } from 'react'
import { dashboardEntries, noOutsideLinks } from './entries.ts'
import type { EntryGroup, OutsideLinks } from './entries.ts'

const OutsideContext = createContext<OutsideLinks>(noOutsideLinks)

/** The external links set by the host; the menu's table is built from them everywhere. */
export const OutsideLinksProvider = ({ links, children }: { links: OutsideLinks; children: ReactNode }) => (
  <OutsideContext value={links}>{children}</OutsideContext>
)

export const useOutsideLinks = (): OutsideLinks => useContext(OutsideContext)

export const useEntryGroups = (): readonly EntryGroup[] => {
  const outside = useOutsideLinks()
  return useMemo(() => dashboardEntries(outside), [outside])
}
