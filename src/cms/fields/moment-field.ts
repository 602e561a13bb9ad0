import type { DateField, DateFieldValidation } from 'payload'
import { isLocale } from '../../i18n/locales.ts'
import { words, type Words } from './languages.ts'

/** A day and a time, or nothing for no limit. */
export const momentField = (name: string, label: Words): DateField => ({
  name,
  type: 'date',
  label,
  admin: { date: { pickerAppearance: 'dayAndTime' } },
})

/** Refuses an end that is not after the beginning in the sibling field `from`. */
export const endsAfter =
  (from: string): DateFieldValidation =>
  (to, { siblingData, req }) => {
    const begin = (siblingData as Record<string, Date | string | null | undefined>)[from]
    if (!to || !begin || new Date(to) > new Date(begin)) return true
    const sentences = words(
      'The end is before the start.',
      'A vége korábbi, mint a kezdete.',
      'Das Ende liegt vor dem Beginn.',
    )
    const { language } = req.i18n
    return isLocale(language) ? sentences[language] : sentences.en
  }
