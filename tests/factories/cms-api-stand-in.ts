/** A seller who may issue invoices, as in the demo. */
export const INVOICING_STAND_IN = `
create table cms_api.invoicing (
  seller_name text not null default 'Bakter Kft.', seller_postal_code text not null default '1111',
  seller_city text not null default 'Budapest', seller_street text not null default 'Őr utca 1.',
  seller_country text not null default 'HU', seller_tax_number text not null default '12345678-2-43',
  seller_eu_tax_number text not null default '', seller_registry_number text not null default '',
  seller_bank_account text not null default '', seller_email text not null default '',
  invoice_prefix text not null default 'SZ', receipt_prefix text not null default 'NY',
  tax_point text not null default 'at_spend', szamlazz_enabled boolean not null default false,
  szamlazz_agent_key_sealed text);
insert into cms_api.invoicing default values;
`

/** The stand-in's coupons, premium and prize wheel, with the figures of the specification. */
export const CMS_API_SALES = `
create table cms_api.coupons (
  id uuid primary key, name text not null, code text not null unique, type text not null, amount integer not null,
  valid_from timestamptz, valid_to timestamptz, expires_at timestamptz, maximum_price_ft integer, maximum_usage integer,
  usage text not null default 'once', service_ids uuid[] not null default '{}', active boolean not null default true);
create table cms_api.spin_coupons (
  id uuid primary key, code text not null unique, number_of_uses integer not null, spins integer not null default 1,
  expires_at timestamptz, active boolean not null default true);
create table cms_api.premium_tiers (
  tier text primary key, position integer not null, backup_slots integer not null, sub_users integer not null,
  free_spins integer not null, discount_percent integer not null, price_ft integer not null, days integer not null);
insert into cms_api.premium_tiers values ('none', 0, 3, 2, 0, 0, 0, 30), ('essentials', 1, 7, 4, 1, 5, 990, 30),
  ('maximus', 2, 10, 8, 2, 10, 1990, 30), ('ultimus', 3, 15, 12, 4, 15, 3490, 30);
create table cms_api.prize_wheel (
  prizes jsonb not null default '[]', server_package_id uuid, buying boolean not null default false,
  spin_price_ft integer not null default 200, blocked_countries text[] not null default '{}', legal_note jsonb);
insert into cms_api.prize_wheel default values;
create table cms_api.money_settings (manual_credit_limit_ft integer not null default 10000);
insert into cms_api.money_settings default values;
create table cms_api.ticket_categories (id uuid primary key, name jsonb not null, active boolean not null default true);
create table cms_api.votings (
  id uuid primary key, question jsonb not null, options jsonb not null, opened_at timestamptz not null, ends_at timestamptz);
create view cms_api.voting_ids as select id from cms_api.votings;
create table cms_api.ticket_staff (user_id uuid not null, category_id uuid);
create table cms_api.erased_people (id uuid primary key);
create table cms_api.suspended_people (id uuid primary key);
`

/** Tables with the columns of the views in schema cms_api, so that a test of the control plane needs no CMS. */
export const CMS_API_STAND_IN = `
create schema cms_api;
create table cms_api.people (
  id uuid primary key, username text not null, identifier text not null, email text not null,
  verified boolean not null default true, language text not null default 'en',
  invoice_type text not null default 'receipt', is_admin boolean not null default false,
  is_support boolean not null default false);
create table cms_api.roles (
  id uuid primary key, slug text not null, name text not null, is_admin boolean not null, is_support boolean not null,
  active boolean not null, two_factor_required boolean not null);
create table cms_api.services (
  id uuid primary key, slug text not null, name jsonb not null, description jsonb not null, category text not null,
  server_template_id uuid, machine_ids uuid[] not null default '{}', banner text, icon text,
  orderable boolean not null default true, highlighted boolean not null default false, position integer not null default 1,
  points_count integer, minimum_point integer, price_per_point_ft integer, resources jsonb,
  operating_systems jsonb not null default '[]', starting_price_ft integer);
create view cms_api.service_pictures as select id, banner, icon from cms_api.services;
create table cms_api.packages (
  id uuid primary key, service_id uuid not null, name jsonb not null, description jsonb not null,
  price_per_month_ft integer not null, cpu_percent integer not null, memory_mib integer not null,
  storage_mib integer not null, orderable boolean not null default true, highlighted boolean not null default false);
create table cms_api.templates (
  id uuid primary key, slug text not null, name text not null, description jsonb not null, runtimes text[] not null,
  needs_internet boolean not null default false, docker_images jsonb not null default '[]', startup_argv text[] not null,
  done_texts text[] not null default '{}', stop_command text not null default '^C', installation jsonb not null default '[]',
  installation_image text, installation_script text, required_ports integer not null default 1,
  variables jsonb not null default '[]', query_type text, query_port integer);
create table cms_api.known_errors (
  id uuid primary key, title jsonb not null, explanation jsonb not null, pattern text not null,
  actions text[] not null default '{}', template_ids uuid[] not null default '{}');
create table cms_api.computers (
  id uuid primary key, name text not null, ip text not null, url text not null, proxmox_url text,
  available_memory_mib integer not null, storage_mib integer not null, cores integer not null,
  start_port integer not null, port_count integer not null, orderable boolean not null default true);
create view cms_api.template_guides as
  select id, null::text as version, null::int as base_memory_mib, null::int as player_memory_mib from cms_api.templates;
create table cms_api.template_files (id uuid primary key, described_files jsonb not null default '[]');
create view cms_api.computer_places as select id, null::text as city, null::text as country from cms_api.computers;
create table cms_api.settings (
  host_name text not null default 'Bakter', ordering boolean not null default true, tickets boolean not null default true,
  server_start boolean not null default true, coupon_use boolean not null default true,
  registration boolean not null default true, smtp_host text, smtp_port integer, smtp_username text,
  smtp_password_sealed text, smtp_from text, smtp_name text);
create table cms_api.invoice_contacts (
  id uuid primary key, invoice_type text not null, first_name text not null default '', last_name text not null default '',
  street_and_house_number text not null default '', postal_code text not null default '', city text not null default '',
  country text not null default 'HU', company text not null default '', tax_number text not null default '');
${INVOICING_STAND_IN}
create view cms_api.shown_addresses as select id, email from cms_api.people;
insert into cms_api.settings default values;
${CMS_API_SALES}`
