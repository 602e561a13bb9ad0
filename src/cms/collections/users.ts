import type { AuthStrategy, CollectionConfig, Field, TextField } from 'payload'
import { administrator } from '../access/administrator.ts'
import { administratorButNotSelfField } from '../access/administrator-but-not-self-field.ts'
import { nobody } from '../access/nobody.ts'
import { selfOrAdministratorField } from '../access/self-or-administrator-field.ts'
import { selfOrStaff } from '../access/self-or-staff.ts'
import { staff } from '../access/staff.ts'
import { groups } from '../fields/labels.ts'
import { words, type Words } from '../fields/languages.ts'
import { giveIdentifier, lowerCaseNames } from '../hooks/account-names.ts'
import { maskContact } from '../hooks/mask-contact.ts'

/** Personal data: the owner and administrators read it; support sees the masked line instead. */
const personal = (name: string, label: Words): TextField => ({
  name,
  type: 'text',
  label,
  maxLength: 120,
  access: { read: selfOrAdministratorField, update: administrator, create: nobody },
})

const privileges: Field[] = [
  {
    name: 'role',
    type: 'relationship',
    relationTo: 'roles',
    hasMany: true,
    label: words('Roles', 'Szerepkörök', 'Rollen'),
    filterOptions: { active: { equals: true } },
    access: { create: nobody, read: selfOrAdministratorField, update: administratorButNotSelfField },
  },
  {
    name: 'verified',
    type: 'checkbox',
    required: true,
    defaultValue: false,
    label: words('E-mail address confirmed', 'E-mail-cím megerősítve', 'E-Mail-Adresse bestätigt'),
    access: { create: nobody, update: administratorButNotSelfField },
  },
]

const names: Field[] = [
  {
    name: 'username',
    type: 'text',
    required: true,
    unique: true,
    index: true,
    minLength: 3,
    maxLength: 32,
    label: words('Username', 'Felhasználónév', 'Benutzername'),
    access: { create: nobody, update: nobody },
  },
  {
    name: 'identifier',
    type: 'text',
    unique: true,
    index: true,
    label: words('Identifier', 'Azonosító', 'Kennung'),
    access: { create: nobody, update: nobody },
    admin: { readOnly: true },
  },
  {
    name: 'email',
    type: 'email',
    required: true,
    unique: true,
    index: true,
    label: words('E-mail address', 'E-mail-cím', 'E-Mail-Adresse'),
    access: { create: nobody, read: selfOrAdministratorField, update: administratorButNotSelfField },
  },
  {
    name: 'maskedContact',
    type: 'text',
    virtual: true,
    label: words('Contact (masked)', 'Elérhetőség (takarva)', 'Kontakt (verdeckt)'),
    access: { create: nobody, read: staff, update: nobody },
    admin: { readOnly: true },
  },
]

const personalData: Field[] = [
  {
    name: 'profilePicture',
    type: 'upload',
    relationTo: 'media',
    label: words('Profile picture', 'Profilkép', 'Profilbild'),
    access: { create: nobody },
  },
  {
    name: 'contact',
    type: 'group',
    label: words('Contact data', 'Kapcsolattartási adatok', 'Kontaktdaten'),
    fields: [
      personal('firstName', words('First name', 'Keresztnév', 'Vorname')),
      personal('lastName', words('Last name', 'Vezetéknév', 'Nachname')),
      personal('streetAndHouseNumber', words('Street and number', 'Utca, házszám', 'Straße und Hausnummer')),
      personal('postalCode', words('Postal code', 'Irányítószám', 'Postleitzahl')),
      personal('city', words('City', 'Település', 'Ort')),
      personal('phoneNumber', words('Phone number', 'Telefonszám', 'Telefonnummer')),
    ],
  },
  {
    name: 'invoiceType',
    type: 'select',
    required: true,
    defaultValue: 'electronic',
    label: words('Invoice type', 'Számla típusa', 'Rechnungsart'),
    options: [
      { value: 'electronic', label: words('Electronic invoice', 'Elektronikus számla', 'Elektronische Rechnung') },
      { value: 'receipt', label: words('Receipt', 'Nyugta', 'Quittung') },
    ],
    access: { create: nobody, read: selfOrAdministratorField },
  },
  {
    name: 'language',
    type: 'select',
    required: true,
    defaultValue: 'en',
    label: words('Language', 'Nyelv', 'Sprache'),
    options: [
      { value: 'en', label: 'English' },
      { value: 'hu', label: 'Magyar' },
      { value: 'de', label: 'Deutsch' },
    ],
    access: { create: nobody },
  },
]

/** People. Money, premium and spins belong to the control plane, passwords and sessions to schema identity. */
export const users = (strategy: AuthStrategy): CollectionConfig => ({
  slug: 'users',
  labels: { singular: words('User', 'Felhasználó', 'Benutzer'), plural: words('Users', 'Felhasználók', 'Benutzer') },
  auth: { disableLocalStrategy: true, strategies: [strategy], depth: 0, removeTokenFromResponses: true },
  admin: {
    useAsTitle: 'username',
    group: groups.people,
    defaultColumns: ['username', 'identifier', 'verified', 'createdAt'],
    listSearchableFields: ['username', 'identifier'],
  },
  access: { admin: staff, create: nobody, read: selfOrStaff, update: administrator, delete: nobody, unlock: nobody },
  hooks: { beforeChange: [lowerCaseNames, giveIdentifier], beforeRead: [maskContact] },
  fields: [...names, ...privileges, ...personalData],
})
