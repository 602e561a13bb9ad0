'use client'
import { useTranslations } from 'next-intl'
import type { ReactNode, Ref } from 'react'
import { Checkbox } from '../../ui/controls/choice.tsx'
import { Notice } from '../../ui/surfaces/notice.tsx'

type TermsConsentProps = {
  box?: Ref<HTMLInputElement>
  checked: boolean
  /** The person has tried to continue: a missing tick is now reported. */
  tried: boolean
  onCheck: (checked: boolean) => void
  /** The current version, if the person accepted an older one before. */
  changed?: string | undefined
}

/** Consent to the terms. If they have changed, it says so first and names the version to accept. */
export const TermsConsent = ({ box, checked, tried, onCheck, changed }: TermsConsentProps) => {
  const t = useTranslations('consent')
  const tc = useTranslations('common')
  const terms = (words: ReactNode) => (
    <a className="link" href="/documents/terms" target="_blank" rel="noopener">
      {words}
      <span className="vh"> {tc('newTab')}</span>
    </a>
  )
  return (
    <>
      {changed === undefined ? null : (
        <Notice tone="wait" role="alert">
          {t('changed', { version: changed })}
        </Notice>
      )}
      <Checkbox
        {...(box === undefined ? {} : { ref: box })}
        checked={checked}
        onChange={(event) => onCheck(event.currentTarget.checked)}
        error={tried && !checked ? t('needed') : undefined}
      >
        {changed === undefined ? t.rich('accept', { terms }) : t.rich('acceptVersion', { version: changed, terms })}
      </Checkbox>
    </>
  )
}
