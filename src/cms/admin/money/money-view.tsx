import { DefaultTemplate } from '@payloadcms/next/templates'
import { notFound } from 'next/navigation.js'
import type { AdminViewServerProps } from 'payload'
import type { ComponentProps } from 'react'
import { isAdministrator } from '../../access/grants.ts'
import { MoneyContent } from './money-content.tsx'
import { isMoneyPage } from './money-pages.ts'

/**
 * The money pages. Payload shows custom views to anybody, so each request checks the user; data come from guarded
 * calls.
 */
export const MoneyView = ({ initPageResult, params, searchParams }: AdminViewServerProps) => {
  const { req, permissions, visibleEntities, locale } = initPageResult
  const page = params?.segments?.[1]
  if (!isAdministrator(req.user) || !isMoneyPage(page)) notFound()
  const { collections, globals } = visibleEntities
  const request = {
    req,
    user: req.user,
    i18n: req.i18n,
    payload: req.payload,
    locale,
    params,
    permissions,
    searchParams,
  }
  const frame = { ...request, visibleEntities: { collections, globals } } as ComponentProps<typeof DefaultTemplate>
  return (
    <DefaultTemplate {...frame}>
      <MoneyContent page={page} />
    </DefaultTemplate>
  )
}
