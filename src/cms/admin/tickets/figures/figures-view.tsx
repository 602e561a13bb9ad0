import { notFound } from 'next/navigation.js'
import type { AdminViewServerProps } from 'payload'
import { isBuilt } from '#contracts/features.ts'
import { hasStaffGrants, isAdministrator } from '../../../access/grants.ts'
import { FramedView } from '../../framed-view.tsx'
import { staffCategories } from '../staff-categories.ts'
import { FiguresPage } from './figures-page.tsx'

/** The figures of tickets. Payload shows custom views to anybody, so each request checks the user; data come from guarded calls. */
export const FiguresView = async (view: AdminViewServerProps) => {
  const { req } = view.initPageResult
  if (!isBuilt('tickets') || !hasStaffGrants(req.user)) notFound()
  const categories = (await staffCategories(req)).filter(({ isMine, active }) => isMine && active)
  return (
    <FramedView view={view}>
      <FiguresPage categories={categories.map(({ id, name }) => ({ id, name }))} isAdmin={isAdministrator(req.user)} />
    </FramedView>
  )
}
