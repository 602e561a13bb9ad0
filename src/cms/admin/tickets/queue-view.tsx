import { notFound } from 'next/navigation.js'
import type { AdminViewServerProps } from 'payload'
import { isBuilt } from '#contracts/features.ts'
import { hasStaffGrants } from '../../access/grants.ts'
import { FramedView } from '../framed-view.tsx'
import { Queue } from './queue.tsx'
import { staffCategories } from './staff-categories.ts'

/** The queue of tickets. Payload shows custom views to anybody, so each request checks the user; data come from guarded calls. */
export const QueueView = async (view: AdminViewServerProps) => {
  const { req } = view.initPageResult
  if (!isBuilt('tickets') || !hasStaffGrants(req.user)) notFound()
  const categories = await staffCategories(req)
  return (
    <FramedView view={view}>
      <Queue categories={categories.filter(({ isMine }) => isMine)} />
    </FramedView>
  )
}
