'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { ServerSize } from '#contracts/http/modification.ts'
import type { Server } from '#contracts/http/server.ts'
import { servicesQuery } from '@/lib/queries/queries.ts'
import { useArrival } from '@/ui/screen/use-arrival.ts'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { SkeletonRows } from '@/ui/surfaces/states.tsx'
import { ModificationForm } from './modification-form.tsx'
import { PackageChoice } from './package-choice.tsx'
import { useKnownSize } from './use-modification.ts'

type Props = { server: Server; size: ServerSize }

const Body = ({ server, size }: Props) => {
  const t = useTranslations('serverSettings.modification')
  const tp = useTranslations('serverSettings.package')
  const tc = useTranslations('common')
  const services = useQuery(servicesQuery())
  const [isDone, setDone] = useState(false)
  const know = useKnownSize(server.id)
  if (size.packageId !== null) {
    return (
      <>
        <p className="my-3">
          {t('inPackage')} {tp('text')}
        </p>
        <PackageChoice server={server} />
      </>
    )
  }
  if (Date.parse(server.expiry) <= Date.now()) return <p className="my-3">{t('expired')}</p>
  return (
    <Region query={services} skeleton={<SkeletonRows rows={6} label={tc('loading')} />} failed={t('failed')}>
      {(list) => {
        const ranges = list.find(({ id }) => id === size.serviceId)?.resources
        if (!ranges) return <p className="my-3">{t('fixed')}</p>
        // A new size resets the form to the server's current values.
        const key = JSON.stringify(size.resources)
        return (
          <>
            <ModificationForm
              key={key}
              server={server}
              size={size}
              ranges={ranges}
              onDone={(sizes) => {
                know(sizes)
                setDone(true)
              }}
            />
            <div role="status">{isDone ? <Notice tone="go">{t('done')}</Notice> : null}</div>
          </>
        )
      }}
    </Region>
  )
}

/** The size of the server: resources for the rest of its paid time, or another package. */
export const ModificationPanel = (props: Props) => {
  const t = useTranslations('serverSettings.modification')
  const ref = useArrival('resources')
  return (
    <div id="resources" ref={ref}>
      <Panel title={t('title')}>
        <Body {...props} />
      </Panel>
    </div>
  )
}
