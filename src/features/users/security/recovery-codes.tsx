'use client'
import { useTranslations } from 'next-intl'
import { Button } from '@/ui/controls/button.tsx'
import { CopyText } from '@/ui/surfaces/copy-text.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'

/** Ten codes, shown once. */
export const RecoveryCodes = ({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) => {
  const t = useTranslations('security')
  return (
    <div className="stack-24">
      <Notice tone="wait" role="status">
        {t('codesText')}
      </Notice>
      <ul className="stack-8">
        {codes.map((code) => (
          <li key={code}>
            <CopyText text={code} label={t('recoveryCode')} quiet />
          </li>
        ))}
      </ul>
      <div>
        <Button look="primary" onClick={onKept}>
          {t('codesKept')}
        </Button>
      </div>
    </div>
  )
}
