'use client'
import { Crown, Eye, Hammer, ShieldCheck, SlidersHorizontal } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useId } from 'react'
import type { Permission } from '#contracts/panel/permissions.ts'
import { changesOnlyOwn } from '#domain/servers/permissions.ts'
import { presetKeys, presetOf, SHARE_PRESET_NAMES } from '#domain/servers/shares.ts'
import type { SharePreset } from '#domain/servers/shares.ts'

const ICONS: Readonly<Record<SharePreset, LucideIcon>> = {
  viewer: Eye,
  moderator: ShieldCheck,
  builder: Hammer,
  coOwner: Crown,
}

type CardProps = {
  readonly name: string
  readonly icon: LucideIcon
  readonly title: string
  readonly text: string
  readonly isChosen: boolean
  /** Why it can't be chosen. */
  readonly refusal?: string | undefined
  readonly onChoose: () => void
}

const Card = ({ name, icon: Drawn, title, text, isChosen, refusal, onChoose }: CardProps) => (
  <label className="preset">
    <input type="radio" name={name} checked={isChosen} disabled={refusal !== undefined} onChange={onChoose} />
    <Drawn className="preset-i" aria-hidden />
    <span className="preset-t">{title}</span>
    <span className="small t2">{refusal ?? text}</span>
  </label>
)

type PresetCardsProps = {
  readonly permissions: readonly Permission[]
  /** The permissions of the share now: none for an invitation. */
  readonly given: readonly Permission[]
  /** The permissions that the reader may give and take. */
  readonly own: readonly Permission[]
  readonly onChoose: (permissions: readonly Permission[]) => void
  readonly onCustom: () => void
}

/** The named sets of permissions as cards. A set of one's own is a card too, which opens the list. */
export const PresetCards = ({ permissions, given, own, onChoose, onCustom }: PresetCardsProps) => {
  const t = useTranslations('collaborators')
  const group = useId()
  const chosen = presetOf(permissions)
  return (
    <fieldset>
      <legend className="label mb-2">{t('dialog.preset')}</legend>
      <div className="presets">
        {SHARE_PRESET_NAMES.map((preset) => {
          const keys = presetKeys(preset)
          const mayChoose = changesOnlyOwn(own, { before: given, after: keys })
          return (
            <Card
              key={preset}
              name={group}
              icon={ICONS[preset]}
              title={t(`presets.${preset}.title`)}
              text={t(`presets.${preset}.text`)}
              isChosen={chosen === preset}
              refusal={mayChoose || chosen === preset ? undefined : t('dialog.lacks')}
              onChoose={() => onChoose(keys)}
            />
          )
        })}
        <Card
          name={group}
          icon={SlidersHorizontal}
          title={t('dialog.custom')}
          text={t('dialog.customText')}
          isChosen={chosen === undefined}
          onChoose={onCustom}
        />
      </div>
    </fieldset>
  )
}
