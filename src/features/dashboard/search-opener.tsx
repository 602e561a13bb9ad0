'use client'
import { useTranslations } from 'next-intl'
import { lazy, Suspense, useLayoutEffect, useState } from 'react'
import { Icon } from '@/ui/signs/icon.tsx'
import { isAltWith, isWriting } from './shortcut.ts'

const SearchDialog = lazy(async () => ({ default: (await import('./search-dialog.tsx')).SearchDialog }))

/** The search box of the top bar: a press or Alt+Q loads and opens the search. */
export const SearchOpener = ({ panelId }: { panelId?: string | undefined }) => {
  const t = useTranslations('dashboard.search')
  const [open, setOpen] = useState(false)
  // A layout effect: a key that is pressed as soon as the page is drawn is heard.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isAltWith(event, 'KeyQ') || isWriting(event.target)) return
      event.preventDefault()
      setOpen(true)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <button
        type="button"
        className="seek"
        aria-haspopup="dialog"
        aria-keyshortcuts="Alt+Q"
        aria-label={t('open')}
        onClick={() => setOpen(true)}
      >
        <Icon name="search" size={18} className="i" />
        <span className="cut" aria-hidden>
          {t('open')}
        </span>
        <kbd className="kbd" aria-hidden>
          ALT + Q
        </kbd>
      </button>
      {open ? (
        <Suspense>
          <SearchDialog panelId={panelId} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
