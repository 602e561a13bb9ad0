import type { AuthStrategy, CollectionConfig, Field } from 'payload'
import { administrator } from '../access/administrator.ts'
import { administratorButNotSelfField } from '../access/administrator-but-not-self-field.ts'
import { nobody } from '../access/nobody.ts'
import { selfOrAdministratorField } from '../access/self-or-administrator-field.ts'
import { selfOrStaff } from '../access/self-or-staff.ts'
import { staff } from '../access/staff.ts'
import { groups } from '../fields/labels.ts'
import { words } from '../fields/languages.ts'
import { billingText, contactText, timeZoneText } from '../fields/personal-text.ts'
import { giveIdentifier, lowerCaseNames } from '../hooks/account-names.ts'
import { endAccessOfPerson } from '../hooks/end-access.ts'
import { keepCreation } from '../hooks/keep-creation.ts'
import { maskContact } from '../hooks/mask-contact.ts'
import { assignableRoles, guardAssignment, keepAdministrator } from '../hooks/role-rules.ts'

// A field that nobody can change here says why: it is shown disabled.
const why = {
  notOwn: words(
    'On your own account another administrator changes this.',
    'A saját fiókodon ezt egy másik adminisztrátor módosíthatja.',
    'Bei deinem eigenen Konto ändert das ein anderer Administrator.',
  ),
  suspended: words(
    "Signed out everywhere immediately, and can't sign in. On your own account another administrator changes this.",
    'Azonnal mindenhonnan kijelentkeztetjük, és nem tud bejelentkezni. A saját fiókodon ezt egy másik adminisztrátor módosíthatja.',
    'Wird sofort überall abgemeldet und kann sich nicht anmelden. Bei deinem eigenen Konto ändert das ein anderer Administrator.',
  ),
  username: words(
    'Chosen at registration, and never changed.',
    'A regisztrációkor választotta, és nem módosítható.',
    'Bei der Registrierung gewählt und nicht mehr änderbar.',
  ),
  identifier: words(
    'Given at registration, and never changed.',
    'A regisztrációkor kapta, és nem módosítható.',
    'Bei der Registrierung vergeben und nicht mehr änderbar.',
  ),
  maskedContact: words(
    'All that support sees of the address and the phone number.',
    'Az ügyfélszolgálat ennyit lát az e-mail-címből és a telefonszámból.',
    'Mehr sieht der Support von Adresse und Telefonnummer nicht.',
  ),
  accountState: words(
    'Changes when the person deletes the account in their settings.',
    'Akkor változik, amikor a felhasználó a beállításaiban törli a fiókját.',
    'Ändert sich, wenn die Person das Konto in ihren Einstellungen löscht.',
  ),
} as const

const privileges: Field[] = [
  {
    name: 'role',
    type: 'relationship',
    relationTo: 'roles',
    hasMany: true,
    label: words('Roles', 'Szerepkörök', 'Rollen'),
    filterOptions: assignableRoles,
    admin: { description: why.notOwn },
    access: { create: nobody, read: selfOrAdministratorField, update: administratorButNotSelfField },
  },
  {
    name: 'verified',
    type: 'checkbox',
    required: true,
    defaultValue: false,
    label: words('E-mail address confirmed', 'E-mail-cím megerősítve', 'E-Mail-Adresse bestätigt'),
    admin: { description: why.notOwn },
    access: { create: nobody, update: administratorButNotSelfField },
  },
  {
    name: 'suspended',
    type: 'checkbox',
    defaultValue: false,
    label: words('Suspended', 'Felfüggesztve', 'Gesperrt'),
    access: { create: nobody, read: staff, update: administratorButNotSelfField },
    admin: { description: why.suspended },
  },
]

/** Written only by the identity part, together with the row with its time (identity.account_deletions). */
const accountState: Field = {
  name: 'accountState',
  type: 'select',
  defaultValue: 'active',
  index: true,
  label: words('Account', 'Fiók', 'Konto'),
  options: [
    { value: 'active', label: words('Active', 'Aktív', 'Aktiv') },
    {
      value: 'leaving',
      label: words('Being deleted (can be undone)', 'Törlés alatt (visszavonható)', 'Wird gelöscht (widerrufbar)'),
    },
    { value: 'erased', label: words('Deleted', 'Törölve', 'Gelöscht') },
  ],
  access: { create: nobody, read: staff, update: nobody },
  admin: { readOnly: true, description: why.accountState },
}

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
    admin: { description: why.username },
    access: { create: nobody, update: nobody },
  },
  {
    name: 'identifier',
    type: 'text',
    unique: true,
    index: true,
    label: words('Identifier', 'Azonosító', 'ID'),
    access: { create: nobody, update: nobody },
    admin: { readOnly: true, description: why.identifier },
  },
  {
    name: 'email',
    type: 'email',
    required: true,
    unique: true,
    index: true,
    label: words('E-mail address', 'E-mail-cím', 'E-Mail-Adresse'),
    admin: { description: why.notOwn },
    // A person's own address comes from /api/user/me. This field would reveal that it belongs to another account
    // (security case 15).
    access: { create: nobody, read: administrator, update: administratorButNotSelfField },
  },
  {
    name: 'maskedContact',
    type: 'text',
    virtual: true,
    label: words('Contact (masked)', 'Elérhetőség (takarva)', 'Kontakt (verdeckt)'),
    access: { create: nobody, read: staff, update: nobody },
    admin: { readOnly: true, description: why.maskedContact },
  },
]

const personalData: Field[] = [
  {
    name: 'contact',
    type: 'group',
    label: words('Contact details', 'Kapcsolattartási adatok', 'Kontaktdaten'),
    fields: [
      contactText('firstName', words('First name', 'Keresztnév', 'Vorname')),
      contactText('lastName', words('Last name', 'Vezetéknév', 'Nachname')),
      contactText('streetAndHouseNumber', words('Street and number', 'Utca, házszám', 'Straße und Hausnummer')),
      contactText('postalCode', words('Postal code', 'Irányítószám', 'Postleitzahl')),
      contactText('city', words('City', 'Település', 'Ort')),
      contactText('phoneNumber', words('Phone number', 'Telefonszám', 'Telefonnummer')),
    ],
  },
  {
    name: 'billing',
    type: 'group',
    label: words('Billing profile', 'Számlázási adatok', 'Rechnungsprofil'),
    fields: [
      billingText('country', words('Country (two letters)', 'Ország (két betű)', 'Land (zwei Buchstaben)')),
      billingText('company', words('Company', 'Cégnév', 'Firma')),
      billingText('taxNumber', words('Tax number', 'Adószám', 'Steuernummer')),
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
  timeZoneText('timeZone', words('Time zone', 'Időzóna', 'Zeitzone')),
]

/** People. Money, premium and spins belong to the control plane, passwords and sessions to schema identity. */
export const users = (strategy: AuthStrategy): CollectionConfig => ({
  slug: 'users',
  labels: { singular: words('User', 'Felhasználó', 'Benutzer'), plural: words('Users', 'Felhasználók', 'Benutzer') },
  auth: { disableLocalStrategy: true, strategies: [strategy], depth: 0, removeTokenFromResponses: true },
  admin: {
    useAsTitle: 'username',
    group: groups.people,
    defaultColumns: ['username', 'identifier', 'verified', 'accountState', 'createdAt'],
    listSearchableFields: ['username', 'identifier'],
  },
  access: { admin: staff, create: nobody, read: selfOrStaff, update: administrator, delete: nobody, unlock: nobody },
  hooks: {
    beforeChange: [lowerCaseNames, giveIdentifier, keepCreation, guardAssignment],
    afterChange: [keepAdministrator, endAccessOfPerson],
    beforeRead: [maskContact],
  },
  fields: [...names, accountState, ...privileges, ...personalData],
})
