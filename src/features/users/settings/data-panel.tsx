'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { useCallback } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { User } from '#contracts/http/user.ts'
import { BILLING_FIELDS, canBeInvoiced } from '#domain/billing/billing-profile.ts'
import { CONTACT_FIELDS } from '#domain/users/contact.ts'
import type { ContactField } from '#domain/users/contact.ts'
import { ApiFailure } from '@/lib/browser-client/failure.ts'
import { useApiForm } from '@/lib/forms/use-api-form.ts'
import type { RefusedFields } from '@/lib/forms/use-api-form.ts'
import { Radio } from '@/ui/controls/choice.tsx'
import { Field, Select } from '@/ui/controls/field.tsx'
import { Notice } from '@/ui/surfaces/notice.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import { ContactForm, contactOrder } from './contact-schema.ts'
import { NOBODY, PersonRegion } from './person-region.tsx'
import { SettingsForm } from './settings-form.tsx'
import { TAX_KEY, TaxState } from './tax-state.tsx'
import { useCountries } from './use-countries.ts'
import { useFieldText } from './use-field-text.ts'
import { useKeptDraft } from './use-kept-draft.ts'
import { useSaveProfile } from './use-save-profile.ts'

const INPUTS: Readonly<Record<ContactField, { autoComplete: string; type?: 'tel' }>> = {
  firstName: { autoComplete: 'given-name' },
  lastName: { autoComplete: 'family-name' },
  streetAndHouseNumber: { autoComplete: 'street-address' },
  postalCode: { autoComplete: 'postal-code' },
  city: { autoComplete: 'address-level2' },
  phoneNumber: { autoComplete: 'tel', type: 'tel' },
}

const FIELDS = [
  ...CONTACT_FIELDS.map((name) => ['contact', name] as const),
  ...BILLING_FIELDS.map((name) => ['billing', name] as const),
]

const formOf = ({ contact, billing, invoiceType }: Pick<User, 'contact' | 'billing' | 'invoiceType'>): ContactForm => ({
  ...contact,
  ...billing,
  invoiceType,
})

/** The API names the fields with their part of the profile. */
const refusedIn = (failure: unknown): RefusedFields => {
  if (!(failure instanceof ApiFailure)) return {}
  const refused = FIELDS.map(([part, name]) => [name, failure.fields[`${part}.${name}`]] as const)
  return Object.fromEntries(refused.flatMap(([name, message]) => (message === undefined ? [] : [[name, message]])))
}

const useContactForm = (user: User) => {
  const save = useSaveProfile()
  const client = useQueryClient()
  const locale = useLocale()
  const { form, submit, failure, answer, isBusy } = useApiForm({
    schema: ContactForm,
    defaultValues: formOf(user),
    fields: [...contactOrder(locale), ...BILLING_FIELDS],
    refusedIn,
    send: async ({ invoiceType, country, company, taxNumber, ...contact }) => {
      const saved = await save({ contact, billing: { country, company, taxNumber }, invoiceType })
      await client.invalidateQueries({ queryKey: TAX_KEY })
      return saved
    },
    onDone: (saved, filled) => filled.reset(formOf(saved)),
  })
  const { getValues, setValue, formState } = form
  const { isDirty } = formState
  const read = useCallback(() => (isDirty ? getValues() : null), [isDirty, getValues])
  const fill = useCallback(
    (field: string, text: string) => setValue(field as keyof ContactForm, text, { shouldDirty: true }),
    [setValue],
  )
  // Not yet known, the person has no draft: it would be gone when they are.
  useKeptDraft(user === NOBODY ? null : 'contact', { read, fill })
  return { form, submit, failure, isBusy, isSaved: answer !== null && !isDirty }
}

const BillingFields = ({ form, isBlank }: { form: UseFormReturn<ContactForm>; isBlank: boolean }) => {
  const t = useTranslations('settings')
  const fieldText = useFieldText()
  const countries = useCountries(isBlank)
  const { register, formState } = form
  const { errors } = formState
  return (
    <div className="settings-pairs">
      <Select
        label={t('country')}
        autoComplete="country"
        error={fieldText(errors.country?.message)}
        {...register('country')}
      >
        {countries.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </Select>
      <Field
        label={t('company')}
        autoComplete="organization"
        error={fieldText(errors.company?.message)}
        {...register('company')}
      />
      <Field
        label={t('taxNumber')}
        help={t('taxNumberText')}
        autoComplete="off"
        spellCheck={false}
        error={fieldText(errors.taxNumber?.message)}
        {...register('taxNumber')}
      />
      {isBlank ? null : <TaxState />}
    </div>
  )
}

/** Someone who wants invoices but has given no name or address is told that receipts are issued until then. */
const InvoiceNote = ({ form }: { form: UseFormReturn<ContactForm> }) => {
  const t = useTranslations('settings')
  const typed = form.watch()
  if (typed.invoiceType === 'receipt' || canBeInvoiced(typed)) return null
  return (
    <Notice tone="wait" role="status" className="mt-3">
      {t('invoiceNeedsAddress')}
    </Notice>
  )
}

const DataForm = ({ user }: { user: User }) => {
  const t = useTranslations('settings')
  const locale = useLocale()
  const fieldText = useFieldText()
  const { form, submit, failure, isBusy, isSaved } = useContactForm(user)
  const { errors } = form.formState
  return (
    <SettingsForm
      onSubmit={submit}
      isBusy={isBusy}
      failure={failure}
      failed={t('dataFailed')}
      saved={isSaved ? t('dataSaved') : null}
      text={t('dataText')}
      submit={t('dataSubmit')}
    >
      <div className="settings-pairs">
        {contactOrder(locale).map((name) => (
          <Field
            key={name}
            label={t(name)}
            error={fieldText(errors[name]?.message)}
            {...INPUTS[name]}
            {...form.register(name)}
          />
        ))}
      </div>
      <BillingFields form={form} isBlank={user === NOBODY} />
      <fieldset>
        <legend className="label mb-2">{t('invoiceType')}</legend>
        <div className="settings-choices">
          {(['electronic', 'receipt'] as const).map((type) => (
            <Radio key={type} value={type} {...form.register('invoiceType')}>
              {t(type)}
            </Radio>
          ))}
        </div>
        <InvoiceNote form={form} />
      </fieldset>
    </SettingsForm>
  )
}

/** Invoice recipient and contact data. Input survives a failure and a change of language. */
export const DataPanel = () => {
  const t = useTranslations('settings')
  return (
    <Panel title={t('data')}>
      <PersonRegion>{(user) => <DataForm user={user} />}</PersonRegion>
    </Panel>
  )
}
