'use client'
import { useLocale } from 'next-intl'
import type { Server } from '#contracts/http/server.ts'
import type { ServerLayout } from '#contracts/http/server-layout.ts'
import { isSameOrder, sectionsOf, type ListView } from '../list-view.ts'
import { useHeldWords } from './use-held-words.ts'
import type { ListChoice } from './use-list-choice.ts'

/** The sections as they are shown, whether newer states would order them otherwise, and how to take those. */
export const useListOrder = (servers: readonly Server[], layout: ServerLayout, choice: ListChoice) => {
  const locale = useLocale()
  const { filter, sort, search, game } = choice
  const { words, renew } = useHeldWords(servers, JSON.stringify([filter, sort, search, game]))
  const view: ListView = { filter, sort, search, game, locale, nowMs: Date.now() }
  const sections = sectionsOf(servers, layout, { ...view, heldWords: words })
  const dependsOnStates = filter !== 'all' || sort === 'status'
  const isOutdated = dependsOnStates && !isSameOrder(sections, sectionsOf(servers, layout, view))
  return { sections, isOutdated, renew }
}
