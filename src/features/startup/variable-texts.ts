'use client'
import { useTranslations } from 'next-intl'
import type { StartupVariable } from '#contracts/http/panel/startup.ts'
import type { ValueFault } from '#domain/startup/check-value.ts'
import { findRule, hasRule, parseRules } from '#domain/startup/rules.ts'
import type { Rule } from '#domain/startup/rules.ts'
import { variableKind } from '#domain/startup/variable-kind.ts'
import type { VariableKind } from '#domain/startup/variable-kind.ts'

/** The rules of a variable and the control that fits them. */
export const variableForm = (variable: StartupVariable): { kind: VariableKind; rules: readonly Rule[] } => {
  const { rules } = parseRules(variable.rules)
  return { rules, kind: variableKind(rules, variable.default ?? '') }
}

/** The sentence of a refused value. */
export const useFaultText = () => {
  const t = useTranslations('errors.values')
  return ({ code, limit = '' }: ValueFault): string => t(code, { limit })
}

const longest = (rules: readonly Rule[]): number | undefined =>
  findRule(rules, 'max')?.bound ?? findRule(rules, 'between')?.to

/** The accepted values of a variable and its default, in a few words. */
export const useFacts = () => {
  const t = useTranslations('startup.facts')
  const bounds = (kind: VariableKind, rules: readonly Rule[]): string | null => {
    if (kind.is === 'number') {
      const { minimum: min, maximum: max } = kind
      if (min !== null && max !== null) return t('range', { min: String(min), max: String(max) })
      if (min !== null) return t('from', { min: String(min) })
      return max === null ? null : t('to', { max: String(max) })
    }
    const max = kind.is === 'text' ? longest(rules) : undefined
    return max === undefined ? null : t('length', { max: String(max) })
  }
  const preset = (kind: VariableKind, text: string): string => {
    if (kind.is === 'switch') return t(text.toLowerCase() === kind.on.toLowerCase() ? 'presetOn' : 'presetOff')
    return text === '' ? t('presetEmpty') : t('preset', { value: text })
  }
  return (variable: StartupVariable): string => {
    if (variable.port !== null || variable.secret || !variable.editable) return ''
    const { kind, rules } = variableForm(variable)
    const isOptional = kind.is !== 'switch' && (!hasRule(rules, 'required') || hasRule(rules, 'nullable'))
    const facts = [bounds(kind, rules), isOptional ? t('optional') : null, preset(kind, variable.default ?? '')]
    return facts.filter((fact) => fact !== null).join(' · ')
  }
}
