'use client'
import { useQuery } from '@tanstack/react-query'
import { KeyRound, LockKeyhole } from 'lucide-react'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { FileAccess } from '#contracts/http/file-access.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { formatDate } from '@/lib/format/date.ts'
import { Button } from '@/ui/controls/button.tsx'
import { CopyText } from '@/ui/surfaces/copy-text.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { Region } from '@/ui/surfaces/region.tsx'
import { SkeletonRows } from '@/ui/surfaces/states.tsx'
import { useToast } from '@/ui/surfaces/toast.tsx'
import { factorQuery } from './factor-state.ts'
import { fileAccessCalls, fileAccessQuery, useFileAccessChanged } from './file-access-state.ts'
import { ProofForm } from './proof-form.tsx'
import { SshKeyForm } from './ssh-key-form.tsx'

type Entry = {
  readonly id: string
  readonly name: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
}
type RowProps = { entry: Entry; icon: ReactNode; more?: ReactNode; onRemove: () => Promise<unknown> }

const Row = ({ entry, icon, more, onRemove }: RowProps) => {
  const t = useTranslations('security.fileAccess')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const toast = useToast()
  const failureText = useFailureText()
  const changed = useFileAccessChanged()
  const [isBusy, setBusy] = useState(false)
  const date = (time: string) => formatDate(time, locale, { style: 'date', timeZone })
  const { name, createdAt, lastUsedAt } = entry
  const remove = async () => {
    setBusy(true)
    try {
      await onRemove()
      await changed()
    } catch (failure) {
      toast({ text: failureText(failure), lamp: 'crash' })
    }
    setBusy(false)
  }
  return (
    <li className="key-row">
      {icon}
      <span className="grow">
        <b>{name}</b>
        <span className="t2 small">
          {lastUsedAt === null
            ? t('unused', { created: date(createdAt) })
            : t('used', { created: date(createdAt), used: date(lastUsedAt) })}
        </span>
        {more}
      </span>
      <Button
        size="s"
        look="danger"
        busy={isBusy}
        aria-label={t('removeNamed', { name })}
        onClick={() => void remove()}
      >
        {t('remove')}
      </Button>
    </li>
  )
}

const KeysPanel = ({ access, needsCode }: { access: FileAccess; needsCode: boolean }) => {
  const t = useTranslations('security.fileAccess')
  const [isAdding, setAdding] = useState(false)
  return (
    <Panel title={t('keys')}>
      <div className="stack-24">
        <p className="t2">{t('keysText')}</p>
        {access.keys.length === 0 ? (
          <p className="t2">{t('noKeys')}</p>
        ) : (
          <ul className="stack-12">
            {access.keys.map((key) => (
              <Row
                key={key.id}
                entry={key}
                icon={<KeyRound className="i" aria-hidden />}
                more={<code className="mono small key-print">{key.fingerprint}</code>}
                onRemove={() => fileAccessCalls.removeKey(key.id)}
              />
            ))}
          </ul>
        )}
        {isAdding ? (
          <SshKeyForm needsCode={needsCode} onDone={() => setAdding(false)} />
        ) : (
          <div>
            <Button look="primary" onClick={() => setAdding(true)}>
              {t('addKey')}
            </Button>
          </div>
        )}
      </div>
    </Panel>
  )
}

type NewPassword = { readonly name: string; readonly password: string }

const PasswordsPanel = ({ access, needsCode }: { access: FileAccess; needsCode: boolean }) => {
  const t = useTranslations('security.fileAccess')
  const changed = useFileAccessChanged()
  const [isAdding, setAdding] = useState(false)
  const [made, setMade] = useState<NewPassword | null>(null)
  return (
    <Panel title={t('passwords')}>
      <div className="stack-24">
        <p className="t2">{t('passwordsText')}</p>
        {access.needsAppPassword ? <Notice>{t('passwordsNeeded')}</Notice> : null}
        {access.appPasswords.length === 0 ? (
          <p className="t2">{t('noPasswords')}</p>
        ) : (
          <ul className="stack-12">
            {access.appPasswords.map((entry) => (
              <Row
                key={entry.id}
                entry={entry}
                icon={<LockKeyhole className="i" aria-hidden />}
                onRemove={() => fileAccessCalls.removePassword(entry.id)}
              />
            ))}
          </ul>
        )}
        {made === null ? null : (
          <>
            <Notice tone="wait" role="status">
              {t('created', { name: made.name })}
            </Notice>
            <CopyText text={made.password} label={t('password')} />
            <div>
              <Button look="primary" onClick={() => setMade(null)}>
                {t('kept')}
              </Button>
            </div>
          </>
        )}
        {made === null && !isAdding ? (
          <div>
            <Button look="primary" onClick={() => setAdding(true)}>
              {t('addPassword')}
            </Button>
          </div>
        ) : null}
        {isAdding ? (
          <ProofForm
            needsCode={needsCode}
            nameLabel={t('passwordName')}
            submit={t('addPassword')}
            onCancel={() => setAdding(false)}
            onProof={async ({ proof, name }) => {
              const { password } = await fileAccessCalls.addPassword({ ...proof, name })
              setAdding(false)
              setMade({ name, password })
              await changed()
            }}
          />
        ) : null}
      </div>
    </Panel>
  )
}

/** SSH keys and app passwords: what opens the files of a person's servers besides their password. */
export const FileAccessSection = () => {
  const t = useTranslations('security.fileAccess')
  const tc = useTranslations('common')
  const query = useQuery(fileAccessQuery())
  const factors = useQuery(factorQuery()).data
  const needsCode = factors !== undefined && (factors.totp || factors.passkeys.length > 0)
  return (
    <Region query={query} skeleton={<SkeletonRows rows={3} label={tc('loading')} />} failed={t('failed')}>
      {(access) => (
        <div className="stack-24">
          <KeysPanel access={access} needsCode={needsCode} />
          <PasswordsPanel access={access} needsCode={needsCode} />
        </div>
      )}
    </Region>
  )
}
