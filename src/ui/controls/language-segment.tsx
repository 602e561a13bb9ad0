'use client'
import { localeNames, locales } from '@/i18n/locales.ts'
import type { Locale } from '@/i18n/locales.ts'

type Props = { label: string; present: string; full?: boolean; className?: string; onChoose: (locale: Locale) => void }

/** The three languages side by side, each in its own language; `full` shows their full names. */
export const LanguageSegment = ({ label, present, full = false, className = 'seg', onChoose }: Props) => (
  <span className={className} role="group" aria-label={label}>
    {locales.map((candidate) => (
      <button
        key={candidate}
        type="button"
        lang={candidate}
        aria-pressed={candidate === present}
        onClick={() => onChoose(candidate)}
        {...(full ? {} : { 'aria-label': localeNames[candidate] })}
      >
        {full ? localeNames[candidate] : candidate.toUpperCase()}
      </button>
    ))}
  </span>
)
