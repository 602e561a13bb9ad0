import { DefaultTemplate } from '@payloadcms/next/templates'
import type { AdminViewServerProps } from 'payload'
import type { ComponentProps, ReactNode } from 'react'

type Props = { readonly view: AdminViewServerProps; readonly children: ReactNode }

/** A page of our own in Payload's frame, with its menu. */
export const FramedView = ({ view: { initPageResult, params, searchParams }, children }: Props) => {
  const { req, permissions, visibleEntities, locale } = initPageResult
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
  return <DefaultTemplate {...frame}>{children}</DefaultTemplate>
}
