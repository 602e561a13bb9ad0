'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { ProofRequest } from '#contracts/http/second-factor.ts'
import { meQuery } from '@/lib/queries/queries.ts'
import { saveFile } from '@/lib/browser-client/save-file.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { ProofForm } from '../security/proof-form.tsx'
import { privacyCalls } from './use-privacy.ts'

/** All personal data as a file. */
export const ExportPanel = () => {
  const t = useTranslations('privacy')
  const me = useQuery(meQuery()).data
  const [stage, setStage] = useState<'rest' | 'proof' | 'done'>('rest')
  const take = async (proof: ProofRequest) => {
    saveFile(await privacyCalls.exportData(proof), `bakter-${me?.username ?? 'export'}.json`)
    setStage('done')
  }
  return (
    <Panel title={t('export')}>
      <div className="stack-24">
        <p className="t2">{t('exportText')}</p>
        {stage === 'done' ? (
          <Notice tone="go" role="status">
            {t('exportDone')}
          </Notice>
        ) : null}
        {stage === 'proof' ? (
          <ProofForm
            needsCode={me?.twoFactor ?? false}
            submit={t('exportStart')}
            onProof={({ proof }) => take(proof)}
            onCancel={() => setStage('rest')}
          />
        ) : (
          <div>
            <Button onClick={() => setStage('proof')}>{t('exportStart')}</Button>
          </div>
        )}
      </div>
    </Panel>
  )
}
