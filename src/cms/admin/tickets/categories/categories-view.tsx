import { notFound } from 'next/navigation.js'
import type { AdminViewServerProps } from 'payload'
import { isBuilt } from '#contracts/features.ts'
import { hasStaffGrants, isAdministrator } from '../../../access/grants.ts'
import { FramedView } from '../../framed-view.tsx'
import { CategoriesPage } from './categories-page.tsx'
import { listedCategories } from './listed-categories.ts'

/** The categories of tickets. Payload shows custom views to anybody, so each request checks the user; figures come from a guarded call. */
export const CategoriesView = async (view: AdminViewServerProps) => {
  const { req } = view.initPageResult
  if (!isBuilt('tickets') || !hasStaffGrants(req.user)) notFound()
  return (
    <FramedView view={view}>
      <CategoriesPage categories={await listedCategories(req)} isAdmin={isAdministrator(req.user)} />
    </FramedView>
  )
}
