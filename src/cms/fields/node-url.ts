import type { TextField } from 'payload'
import { cmsSettings } from '../start/settings.ts'
import { textIn, words, type Words } from './languages.ts'

const refusal = {
  invalid: words(
    "This isn't an http or https address.",
    'Ez nem http- vagy https-cím.',
    'Das ist keine http- oder https-Adresse.',
  ),
  plain: words(
    'In production the address must start with https.',
    'Éles üzemben a címnek https-sel kell kezdődnie.',
    'Im Produktivbetrieb muss die Adresse mit https beginnen.',
  ),
}

/**
 * Validates a machine's address: http or https without credentials, and only https in production, because browsers
 * refuse an insecure socket on a secure page.
 */
export const judgeNodeUrl = (value: string, production: boolean): keyof typeof refusal | undefined => {
  if (!URL.canParse(value)) return 'invalid'
  const url = new URL(value)
  if (!['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') return 'invalid'
  return production && url.protocol !== 'https:' ? 'plain' : undefined
}

export const nodeUrl = (name: string, options: { label: Words; required: boolean }): TextField => ({
  name,
  type: 'text',
  label: options.label,
  required: options.required,
  maxLength: 200,
  validate: (value: string | null | undefined, { req }: { req: { i18n: { language: string } } }) => {
    if (!value) return !options.required || textIn(req.i18n.language, refusal.invalid)
    const code = judgeNodeUrl(value, cmsSettings().isProduction)
    return code === undefined || textIn(req.i18n.language, refusal[code])
  },
})
