import * as z from 'zod'
import { STAFF_RULE_ACTIONS } from '#domain/known-errors/staff-rules.ts'
import { SERVICE_CATEGORIES } from '../http/service.ts'
import { INVOICE_TYPES } from '../http/user.ts'
import { SERIES_PREFIX, TaxPoint } from '../invoicing.ts'
import { Locale, LocalizedText } from '../locale.ts'
import { StoredTemplateFiles } from '../panel/described-files.ts'
import { AmountFt, Id, Identifier } from '../primitives.ts'
import { CouponRow, PremiumTierRow, PrizeWheelRow, SpinCouponRow } from './sales-rows.ts'

/**
 * The control plane's view of people and catalog: rows of the SQL views in schema `cms_api`. Keys are the columns of
 * the view. The CMS's migrations create the views; a test compares their columns and the demo's rows with these
 * schemas.
 */

/** `cms_api.people`. The flags come from active roles only. */
export const PersonRow = z.object({
  id: Id,
  username: z.string(),
  identifier: Identifier,
  email: z.string(),
  verified: z.boolean(),
  language: Locale,
  invoice_type: z.enum(INVOICE_TYPES),
  is_admin: z.boolean(),
  is_support: z.boolean(),
})
export type PersonRow = z.infer<typeof PersonRow>

/**
 * `cms_api.shown_addresses`: the address of a person as shown to others, which is the one they entered. Identity's
 * migrations create this view, because they know which addresses are only claimed.
 */
export const ShownAddressRow = z.object({ id: Id, email: z.string() })
export type ShownAddressRow = z.infer<typeof ShownAddressRow>

/**
 * `cms_api.invoice_contacts`: invoice recipients. A separate view, so that other reads of a person do not include them.
 */
export const InvoiceContactRow = z.object({
  id: Id,
  invoice_type: z.enum(INVOICE_TYPES),
  first_name: z.string(),
  last_name: z.string(),
  street_and_house_number: z.string(),
  postal_code: z.string(),
  city: z.string(),
  country: z.string(),
  company: z.string(),
  tax_number: z.string(),
})
export type InvoiceContactRow = z.infer<typeof InvoiceContactRow>

/** `cms_api.invoicing`: always exactly one row. A missing text is empty. */
export const InvoicingRow = z.object({
  seller_name: z.string(),
  seller_postal_code: z.string(),
  seller_city: z.string(),
  seller_street: z.string(),
  seller_country: z.string(),
  seller_tax_number: z.string(),
  seller_eu_tax_number: z.string(),
  seller_registry_number: z.string(),
  seller_bank_account: z.string(),
  seller_email: z.string(),
  invoice_prefix: z.string().regex(SERIES_PREFIX),
  receipt_prefix: z.string().regex(SERIES_PREFIX),
  tax_point: TaxPoint,
  szamlazz_enabled: z.boolean(),
  /** `sealed:<key id>:<base64>`, AES-256-GCM under the key of that id. */
  szamlazz_agent_key_sealed: z.string().nullable(),
})
export type InvoicingRow = z.infer<typeof InvoicingRow>

/** `cms_api.roles`. */
export const RoleRow = z.object({
  id: Id,
  slug: z.string(),
  name: z.string(),
  is_admin: z.boolean(),
  is_support: z.boolean(),
  active: z.boolean(),
  two_factor_required: z.boolean(),
})
export type RoleRow = z.infer<typeof RoleRow>

/** A resource chosen by the customer: `unitPriceFt` is the price of one `step` per month. */
export const ResourceRangeRow = z.object({
  minimum: z.int(),
  maximum: z.int(),
  step: z.int().positive(),
  unitPriceFt: AmountFt,
})

/**
 * `cms_api.services`. `machine_ids` is empty if any orderable computer is allowed; banner and icon are paths on the
 * site.
 */
export const ServiceRow = z.object({
  id: Id,
  slug: z.string(),
  name: LocalizedText,
  description: LocalizedText,
  category: z.enum(SERVICE_CATEGORIES),
  server_template_id: Id.nullable(),
  machine_ids: z.array(Id),
  banner: z.string().nullable(),
  icon: z.string().nullable(),
  orderable: z.boolean(),
  highlighted: z.boolean(),
  position: z.int(),
  points_count: z.int().nullable(),
  minimum_point: z.int().nullable(),
  price_per_point_ft: AmountFt.nullable(),
  resources: z
    .object({ cpuPercent: ResourceRangeRow, ramMiB: ResourceRangeRow, storageMiB: ResourceRangeRow })
    .nullable(),
  operating_systems: z.array(z.object({ name: z.string(), templateId: z.string() })),
  starting_price_ft: AmountFt.nullable(),
})
export type ServiceRow = z.infer<typeof ServiceRow>

/**
 * `cms_api.service_pictures`: paths on the site, to a picture of staff or to the service's drawing; null without either.
 * Pictures of `cms_api.services` are those of staff alone.
 */
export const ServicePicturesRow = z.object({ id: Id, banner: z.string().nullable(), icon: z.string().nullable() })
export type ServicePicturesRow = z.infer<typeof ServicePicturesRow>

/** `cms_api.packages`. */
export const PackageRow = z.object({
  id: Id,
  service_id: Id,
  name: LocalizedText,
  description: LocalizedText,
  price_per_month_ft: AmountFt,
  cpu_percent: z.int(),
  memory_mib: z.int(),
  storage_mib: z.int(),
  orderable: z.boolean(),
  highlighted: z.boolean(),
})
export type PackageRow = z.infer<typeof PackageRow>

export const TEMPLATE_RUNTIMES = ['process', 'docker'] as const

/**
 * A variable of a template. The rest than the first four is absent from views of the previous release. `rules` are those
 * of `#domain/startup/rules.ts`, `port` is the place of the port it contains in the server's list.
 */
export const TemplateVariable = z.object({
  name: LocalizedText,
  default: z.string(),
  environmentVariable: z.string(),
  editable: z.boolean(),
  description: LocalizedText.optional(),
  rules: z.string().optional(),
  secret: z.boolean().optional(),
  port: z.int().min(0).nullable().optional(),
})
export type TemplateVariable = z.infer<typeof TemplateVariable>

/**
 * `cms_api.templates`. Arguments contain the placeholders of `#contracts/agent/server-spec.ts`; no shell reads them.
 */
export const TemplateRow = z.object({
  id: Id,
  slug: z.string(),
  name: z.string(),
  description: LocalizedText,
  runtimes: z.array(z.enum(TEMPLATE_RUNTIMES)),
  needs_internet: z.boolean(),
  docker_images: z.array(z.object({ label: z.string(), image: z.string() })),
  startup_argv: z.array(z.string()).min(1),
  done_texts: z.array(z.string()),
  /** A command for the server's console, or `^C` for a signal. */
  stop_command: z.string(),
  installation: z.array(z.object({ argv: z.array(z.string()).min(1), timeoutMs: z.int().positive().nullable() })),
  installation_image: z.string().nullable(),
  installation_script: z.string().nullable(),
  required_ports: z.int().min(1),
  variables: z.array(TemplateVariable),
  /** The type of the query that counts the players, and the port that it asks; null: none, and the primary one. */
  query_type: z.string().nullable(),
  query_port: z.int().min(0).nullable(),
})
export type TemplateRow = z.infer<typeof TemplateRow>

/** `cms_api.known_errors`: the active rules of staff. Without templates a rule is for servers of all. */
export const KnownErrorRow = z.object({
  id: Id,
  title: LocalizedText,
  explanation: LocalizedText,
  pattern: z.string(),
  actions: z.array(z.enum(STAFF_RULE_ACTIONS)),
  template_ids: z.array(Id),
})
export type KnownErrorRow = z.infer<typeof KnownErrorRow>

/** `cms_api.computers`. Only the control plane knows whether its agent is enrolled and connected. */
export const ComputerRow = z.object({
  id: Id,
  name: z.string(),
  ip: z.string(),
  url: z.string(),
  proxmox_url: z.string().nullable(),
  available_memory_mib: z.int(),
  storage_mib: z.int(),
  cores: z.int(),
  start_port: z.int(),
  port_count: z.int(),
  orderable: z.boolean(),
})
export type ComputerRow = z.infer<typeof ComputerRow>

/**
 * `cms_api.template_guides`: the facts of a template that a renter sees. The memory is without players, and that of
 * each player.
 */
export const TemplateGuideRow = z.object({
  id: Id,
  version: z.string().nullable(),
  base_memory_mib: z.int().nullable(),
  player_memory_mib: z.int().nullable(),
})
export type TemplateGuideRow = z.infer<typeof TemplateGuideRow>

/** `cms_api.template_files`: the configuration files that a template describes. */
export const TemplateFilesRow = z.object({ id: Id, described_files: StoredTemplateFiles })
export type TemplateFilesRow = z.infer<typeof TemplateFilesRow>

/** `cms_api.computer_places`: the country is its ISO code of two letters. */
export const ComputerPlaceRow = z.object({ id: Id, city: z.string().nullable(), country: z.string().nullable() })
export type ComputerPlaceRow = z.infer<typeof ComputerPlaceRow>

/** `cms_api.settings`: always exactly one row. A switch that is false disables its feature. */
export const SettingsRow = z.object({
  host_name: z.string(),
  ordering: z.boolean(),
  tickets: z.boolean(),
  server_start: z.boolean(),
  coupon_use: z.boolean(),
  registration: z.boolean(),
  smtp_host: z.string().nullable(),
  smtp_port: z.int().nullable(),
  smtp_username: z.string().nullable(),
  /** `sealed:<key id>:<base64>`, AES-256-GCM under the key of that id. */
  smtp_password_sealed: z.string().nullable(),
  smtp_from: z.string().nullable(),
  smtp_name: z.string().nullable(),
})
export type SettingsRow = z.infer<typeof SettingsRow>

/** `cms_api.money_settings`: always exactly one row. The amount that one administrator may move by hand alone. */
export const MoneySettingsRow = z.object({ manual_credit_limit_ft: AmountFt })
export type MoneySettingsRow = z.infer<typeof MoneySettingsRow>

/** `cms_api.ticket_categories`, inactive ones too: old tickets have them. */
export const TicketCategoryRow = z.object({ id: Id, name: LocalizedText, active: z.boolean() })
export type TicketCategoryRow = z.infer<typeof TicketCategoryRow>

/**
 * `cms_api.votings`: those that were opened. `ends_at` is the end that staff gave it, or the earlier moment at which they closed it; options
 * keep their order.
 */
export const VotingRow = z.object({
  id: Id,
  question: LocalizedText,
  options: z.array(z.object({ id: z.string(), text: LocalizedText })),
  opened_at: z.date(),
  ends_at: z.date().nullable(),
})
export type VotingRow = z.infer<typeof VotingRow>

/** `cms_api.voting_ids`: every voting, opened or not. Votes of one that is not here are of no voting. */
export const VotingIdRow = z.object({ id: Id })

/**
 * `cms_api.ticket_staff`: who works on the tickets of which category, by usable roles; null stands for all. Identity's
 * migrations create this view, because they know who has a second factor.
 */
export const TicketStaffRow = z.object({ user_id: Id, category_id: Id.nullable() })

/** `cms_api.erased_people`: accounts that are being or were erased. They receive nothing more. */
export const ErasedPersonRow = z.object({ id: Id })

/** `cms_api.suspended_people`: accounts of which no session goes on. Identity's migrations create this view. */
export const SuspendedPersonRow = z.object({ id: Id })

/** Every view of the contract by its name. */
export const CMS_API_VIEWS = {
  people: PersonRow,
  shown_addresses: ShownAddressRow,
  invoice_contacts: InvoiceContactRow,
  roles: RoleRow,
  services: ServiceRow,
  packages: PackageRow,
  templates: TemplateRow,
  known_errors: KnownErrorRow,
  template_guides: TemplateGuideRow,
  template_files: TemplateFilesRow,
  service_pictures: ServicePicturesRow,
  computers: ComputerRow,
  computer_places: ComputerPlaceRow,
  settings: SettingsRow,
  invoicing: InvoicingRow,
  money_settings: MoneySettingsRow,
  ticket_categories: TicketCategoryRow,
  ticket_staff: TicketStaffRow,
  votings: VotingRow,
  voting_ids: VotingIdRow,
  erased_people: ErasedPersonRow,
  suspended_people: SuspendedPersonRow,
  coupons: CouponRow,
  spin_coupons: SpinCouponRow,
  premium_tiers: PremiumTierRow,
  prize_wheel: PrizeWheelRow,
} as const
