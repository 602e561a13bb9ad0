import type { Field, GlobalConfig, TextareaField, TextField } from 'payload'
import { administrator } from '../access/administrator.ts'
import { anyone } from '../access/anyone.ts'
import { groups } from '../fields/labels.ts'
import { words, type Words } from '../fields/languages.ts'

const line = (name: string, label: Words): TextField => ({
  name,
  type: 'text',
  localized: true,
  required: true,
  maxLength: 200,
  label,
})

const text = (name: string, label: Words): TextareaField => ({
  name,
  type: 'textarea',
  localized: true,
  required: true,
  maxLength: 2000,
  label,
})

const plain = (name: string, label: Words): TextField => ({ name, type: 'text', maxLength: 200, label })

const opening: Field = {
  name: 'hero',
  type: 'group',
  label: words('Opening', 'Nyitó rész', 'Einstieg'),
  fields: [
    line('title', words('Title', 'Cím', 'Titel')),
    text('text', words('Text', 'Szöveg', 'Text')),
    line('callToAction', words('Button', 'Gomb', 'Schaltfläche')),
  ],
}

const whyUs: Field = {
  name: 'whyUs',
  type: 'array',
  maxRows: 12,
  label: words('Why us', 'Miért mi', 'Warum wir'),
  labels: {
    singular: words('Reason', 'Indok', 'Grund'),
    plural: words('Reasons', 'Indokok', 'Gründe'),
  },
  fields: [
    {
      name: 'icon',
      type: 'select',
      required: true,
      label: words('Picture', 'Ábra', 'Bild'),
      options: ['bandwidth', 'availability', 'services', 'test', 'payment', 'support', 'backup', 'control'],
    },
    line('title', words('Title', 'Cím', 'Titel')),
    text('text', words('Text', 'Szöveg', 'Text')),
  ],
}

const faq: Field = {
  name: 'faq',
  type: 'array',
  label: words('Questions', 'Kérdések', 'Fragen'),
  labels: {
    singular: words('Question', 'Kérdés', 'Frage'),
    plural: words('Questions', 'Kérdések', 'Fragen'),
  },
  fields: [
    line('question', words('Question', 'Kérdés', 'Frage')),
    text('answer', words('Answer', 'Válasz', 'Antwort')),
  ],
}

const partners: Field = {
  name: 'partners',
  type: 'array',
  label: words('Partners', 'Partnerek', 'Partner'),
  labels: {
    singular: words('Partner', 'Partner', 'Partner'),
    plural: words('Partners', 'Partnerek', 'Partner'),
  },
  fields: [
    { name: 'name', type: 'text', required: true, maxLength: 80, label: words('Name', 'Név', 'Name') },
    plain('url', words('Address', 'Cím', 'Adresse')),
    { name: 'logo', type: 'upload', relationTo: 'media', label: words('Logo', 'Logó', 'Logo') },
    text('description', words('Description', 'Leírás', 'Beschreibung')),
  ],
}

const registry: Field = {
  name: 'registry',
  type: 'group',
  label: words('Registry data', 'Cégadatok', 'Registerdaten'),
  fields: [
    plain('companyName', words('Company', 'Cégnév', 'Firma')),
    plain('seat', words('Registered office', 'Székhely', 'Sitz')),
    plain('registrationNumber', words('Registration number', 'Cégjegyzékszám', 'Registernummer')),
    plain('taxNumber', words('Tax number', 'Adószám', 'Steuernummer')),
    plain('email', words('E-mail', 'E-mail', 'E-Mail')),
    plain('phone', words('Phone', 'Telefon', 'Telefon')),
    plain('dataProtectionNumber', words('Data protection ID', 'Adatkezelési azonosító', 'Datenschutznummer')),
  ],
}

const banners: Field = {
  name: 'banners',
  type: 'group',
  label: words('Banners', 'Reklámsávok', 'Banner'),
  fields: [
    {
      name: 'popularServices',
      type: 'relationship',
      relationTo: 'services',
      hasMany: true,
      maxRows: 5,
      label: words('Popular servers', 'Népszerű szerverek', 'Beliebte Server'),
    },
    {
      name: 'webDesign',
      type: 'group',
      label: words('Web-design partner', 'Webdizájn-partner', 'Webdesign-Partner'),
      fields: [
        plain('name', words('Name', 'Név', 'Name')),
        plain('url', words('Address', 'Cím', 'Adresse')),
        line('text', words('Text', 'Szöveg', 'Text')),
      ],
    },
  ],
}

export const Landing: GlobalConfig = {
  slug: 'landing',
  label: words('Landing page', 'Nyitóoldal', 'Startseite'),
  admin: { group: groups.content },
  access: { read: anyone, update: administrator },
  fields: [
    opening,
    {
      name: 'products',
      type: 'group',
      label: words('Products', 'Termékek', 'Produkte'),
      fields: [line('title', words('Title', 'Cím', 'Titel')), text('text', words('Text', 'Szöveg', 'Text'))],
    },
    whyUs,
    faq,
    partners,
    {
      name: 'dashboard',
      type: 'group',
      label: words('Dashboard section', 'A vezérlőpult bemutatása', 'Abschnitt zum Dashboard'),
      fields: [line('title', words('Title', 'Cím', 'Titel')), text('text', words('Text', 'Szöveg', 'Text'))],
    },
    registry,
    banners,
  ],
}
