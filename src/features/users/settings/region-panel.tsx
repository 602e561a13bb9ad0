'use client'
import { useMutation } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { useMemo } from 'react'
import { ProfileChange } from '#contracts/http/user.ts'
import type { User } from '#contracts/http/user.ts'
import type { Locale } from '@/i18n/locales.ts'
import { choosePersonLanguage } from '@/lib/queries/person-language.ts'
import { useBrowserZone } from '@/ui/screen/browser-zone.ts'
import { useFailureText } from '@/lib/browser-client/failure-text.ts'
import { useApiForm } from '@/lib/forms/use-api-form.ts'
import { formatDate } from '@/lib/format/date.ts'
import { Select } from '@/ui/controls/field.tsx'
import { LanguageSegment } from '@/ui/controls/language-segment.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { PersonRegion } from './person-region.tsx'
import { SettingsForm } from './settings-form.tsx'
import { useSaveProfile } from './use-save-profile.ts'

const zoneLabel = (zone: string): string => zone.replaceAll('_', ' ')

/** Every zone known to this browser, and the chosen one even if it is not. */
const zonesWith = (chosen: string): readonly string[] => {
  const known = Intl.supportedValuesOf('timeZone')
  return chosen === '' || known.includes(chosen) ? known : [chosen, ...known]
}

const useZone = (user: User) => {
  const saveProfile = useSaveProfile()
  const made = useApiForm({
    schema: ProfileChange.pick({ timeZone: true }).required(),
    defaultValues: { timeZone: user.timeZone },
    fields: ['timeZone'],
    send: (body) => saveProfile(body),
    onDone: ({ timeZone }, form) => form.reset({ timeZone }),
  })
  const { form, answer } = made
  return { ...made, zone: form.watch('timeZone'), isSaved: answer !== null && !form.formState.isDirty }
}

const Zone = ({ user }: { user: User }) => {
  const t = useTranslations('settings')
  const locale = useLocale()
  const browser = useBrowserZone()
  const zones = useMemo(() => zonesWith(user.timeZone), [user.timeZone])
  const { form, submit, zone, isBusy, isSaved, failure, errorOf } = useZone(user)
  const time = formatDate(new Date(), locale, { style: 'time', timeZone: zone || browser })
  return (
    <SettingsForm
      onSubmit={submit}
      isBusy={isBusy}
      failure={failure}
      failed={t('dataFailed')}
      saved={isSaved ? t('regionSaved') : null}
      submit={t('timeZoneSubmit')}
      look="plain"
    >
      <Select
        label={t('timeZone')}
        help={t('timeZoneText', { time })}
        error={errorOf('timeZone')}
        {...form.register('timeZone')}
      >
        <option value="">{t('timeZoneBrowser', { zone: zoneLabel(browser) })}</option>
        {zones.map((name) => (
          <option key={name} value={name}>
            {zoneLabel(name)}
          </option>
        ))}
      </Select>
    </SettingsForm>
  )
}

const Language = () => {
  const t = useTranslations('settings')
  const common = useTranslations('common')
  const failureText = useFailureText()
  const { mutate: choose, error } = useMutation({ mutationFn: (locale: Locale) => choosePersonLanguage(locale) })
  return (
    <div className="settings-language">
      <p className="t2">{t('languageText')}</p>
      <LanguageSegment full label={common('language')} present={useLocale()} onChoose={choose} />
      {error === null ? null : (
        <Notice tone="stop" role="alert">
          {t('dataFailed')} {failureText(error)}
        </Notice>
      )}
    </div>
  )
}

/** The person's language, and the zone for times. */
export const RegionPanel = () => {
  const t = useTranslations('settings')
  return (
    <Panel title={t('region')}>
      <div className="stack-24">
        <Language />
        <PersonRegion rows={2}>{(user) => <Zone user={user} />}</PersonRegion>
      </div>
    </Panel>
  )
}
