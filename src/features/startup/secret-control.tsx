'use client'
import { Eye, EyeOff } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import type { StartupVariable } from '#contracts/http/panel/startup.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { Button, IconButton } from '@/ui/controls/button.tsx'
import { useToast } from '@/ui/surfaces/toast.tsx'
import { useStartupPlace } from './startup-context.tsx'
import { useSecret } from './startup-queries.ts'
import type { ControlProps } from './variable-control.tsx'

type SecretProps = Omit<ControlProps, 'value'> & {
  readonly variable: StartupVariable
  /** Undefined while the saved value stays, null for the default. */
  readonly typed: string | null | undefined
  readonly onKeep: () => void
}

const DOTS = '••••••••'

/** The saved value behind dots, which somebody who may change it can look at. */
const Saved = ({ variable, isReadOnly, onChange, ...control }: SecretProps) => {
  const t = useTranslations('startup.secret')
  const toast = useToast()
  const failureText = useFailureText()
  const { server } = useStartupPlace()
  const secret = useSecret(server.id)
  const shown = secret.data?.value
  const look = () =>
    secret.mutate(variable.environmentVariable, {
      onError: (failure) => toast({ lamp: 'crash', text: `${t('failed')} ${failureText(failure)}` }),
    })
  return (
    <>
      <span className="su-secret">
        <output id={control.id} className="input" aria-describedby={control.describedBy}>
          {shown === undefined ? (
            <>
              <span aria-hidden>{variable.isSet ? DOTS : '—'}</span>
              <span className="vh">{t(variable.isSet ? 'set' : 'unset')}</span>
            </>
          ) : (
            shown
          )}
        </output>
        {isReadOnly || !variable.isSet ? null : shown === undefined ? (
          <IconButton
            outlined
            label={`${t('show')}: ${variable.name}`}
            icon={<Eye className="i" aria-hidden />}
            disabled={secret.isPending}
            onClick={look}
          />
        ) : (
          <IconButton
            outlined
            label={`${t('hide')}: ${variable.name}`}
            icon={<EyeOff className="i" aria-hidden />}
            onClick={() => secret.reset()}
          />
        )}
      </span>
      {isReadOnly ? null : (
        <Button size="s" onClick={() => onChange('')}>
          {t('change')}
          <span className="vh"> {variable.name}</span>
        </Button>
      )}
    </>
  )
}

/** A new value, hidden as it is typed. */
const Typed = ({ value, ...props }: SecretProps & { value: string }) => {
  const t = useTranslations('startup.secret')
  const [isOpen, setOpen] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const { variable, isReadOnly, isRefused, describedBy, id, onChange } = props
  // The reader has just asked for the field; its button is gone.
  useEffect(() => field.current?.focus({ preventScroll: true }), [])
  return (
    <span className="su-secret">
      <input
        ref={field}
        id={id}
        className="input"
        type={isOpen ? 'text' : 'password'}
        autoComplete="new-password"
        autoCapitalize="none"
        placeholder={t('new')}
        value={value}
        readOnly={isReadOnly}
        aria-invalid={isRefused || undefined}
        aria-describedby={describedBy}
        spellCheck={false}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <IconButton
        outlined
        label={`${t(isOpen ? 'hide' : 'show')}: ${variable.name}`}
        icon={isOpen ? <EyeOff className="i" aria-hidden /> : <Eye className="i" aria-hidden />}
        onClick={() => setOpen(!isOpen)}
      />
    </span>
  )
}

/** A secret: hidden, shown on request, and replaced by a new value that is hidden as well. */
export const SecretControl = (props: SecretProps) => {
  const t = useTranslations('startup.secret')
  const { variable, typed, onKeep } = props
  if (typed === undefined) return <Saved {...props} />
  return (
    <>
      {typed === null ? (
        <output id={props.id} className="input" aria-describedby={props.describedBy}>
          {t('preset')}
        </output>
      ) : (
        <Typed {...props} value={typed} />
      )}
      <Button size="s" onClick={onKeep}>
        {t('keep')}
        <span className="vh"> {variable.name}</span>
      </Button>
    </>
  )
}
