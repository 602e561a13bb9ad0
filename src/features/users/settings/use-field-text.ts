import { useTranslations } from 'next-intl'
import { invalidKeys } from '../schemas.ts'
import type { InvalidKey } from '../schemas.ts'
import { contactKeys } from './contact-schema.ts'

const OF_ACCOUNTS = [
  'required',
  'email',
  'passwordShort',
  'passwordLong',
  'mismatch',
] as const satisfies readonly InvalidKey[]
const SAID = [...OF_ACCOUNTS, ...contactKeys] as const
type SaidKey = (typeof SAID)[number]

const isSaid = (message: string): message is SaidKey => (SAID as readonly string[]).includes(message)

/** A field's error: the sentence of one of our own keys, or the one sent by the site. */
export const useFieldText = () => {
  const t = useTranslations('settings.invalid')
  return (message: string | undefined): string | undefined => {
    if (message === undefined) return message
    if (isSaid(message)) return t(message)
    return (invalidKeys as readonly string[]).includes(message) ? t('required') : message
  }
}
