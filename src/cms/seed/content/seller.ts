/** A fictitious company: a host enters its own before opening. */
export const sellerOfDemo = {
  name: 'Bakter Minta Kft.',
  postalCode: '1111',
  city: 'Budapest',
  street: 'Próba utca 1.',
  country: 'HU',
  taxNumber: '00000000-0-00',
  registryNumber: '00-00-000000',
  email: 'szamla@bakter.test',
}
