import { notFound } from 'next/navigation.js'
import type { AdminViewServerProps } from 'payload'
import { isAdministrator } from '../../access/grants.ts'
import { FramedView } from '../framed-view.tsx'
import { MoneyContent } from './money-content.tsx'
import { isMoneyPage } from './money-pages.ts'

/**
 * The money pages. Payload shows custom views to anybody, so each request checks the user; data come from guarded
 * calls.
 */
export const MoneyView = (view: AdminViewServerProps) => {
  const page = view.params?.segments?.[1]
  if (!isAdministrator(view.initPageResult.req.user) || !isMoneyPage(page)) notFound()
  return (
    <FramedView view={view}>
      <MoneyContent page={page} />
    </FramedView>
  )
}
