'use client'
import { useTranslations } from 'next-intl'
import { Fragment } from 'react'
import type { ReactNode } from 'react'

/** The way from the server's folder to the open one; each stop leads back to it. */
export const Crumbs = ({ folder, onGo, end }: { folder: string; onGo: (folder: string) => void; end?: ReactNode }) => {
  const t = useTranslations('files')
  const parts = folder === '' ? [] : folder.split('/')
  const stops = [
    { path: '', name: t('top') },
    ...parts.map((name, index) => ({ path: parts.slice(0, index + 1).join('/'), name })),
  ]
  return (
    <nav className="crumbs" aria-label={t('place')}>
      {stops.map(({ path, name }, index) => (
        <Fragment key={path}>
          {index === 0 ? null : <span aria-hidden>/</span>}
          {index === stops.length - 1 ? (
            <b aria-current="location">{name}</b>
          ) : (
            <button type="button" className="crumb" onClick={() => onGo(path)}>
              {name}
            </button>
          )}
        </Fragment>
      ))}
      <span className="end small t3 crumbs-end">{end}</span>
    </nav>
  )
}
