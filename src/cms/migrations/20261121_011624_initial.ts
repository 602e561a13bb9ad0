import { type MigrateDownArgs, type MigrateUpArgs, sql } from '@payloadcms/db-postgres'

export async function up({ db }: MigrateUpArgs): Promise<void> {
  await db.execute(sql`
   CREATE TYPE "public"."_locales" AS ENUM('en', 'hu', 'de');
  CREATE TYPE "public"."enum_users_invoice_type" AS ENUM('electronic', 'receipt');
  CREATE TYPE "public"."enum_users_language" AS ENUM('en', 'hu', 'de');
  CREATE TYPE "public"."enum_services_category" AS ENUM('gameServer', 'vps', 'bot', 'other');
  CREATE TYPE "public"."enum_templates_runtimes" AS ENUM('process', 'docker');
  CREATE TYPE "public"."enum_landing_why_us_icon" AS ENUM('bandwidth', 'availability', 'services', 'test', 'payment', 'support', 'backup', 'control');
  CREATE TABLE "users" (
  	"id" uuid PRIMARY KEY NOT NULL,
  	"username" varchar NOT NULL,
  	"identifier" varchar,
  	"email" varchar NOT NULL,
  	"verified" boolean DEFAULT false NOT NULL,
  	"profile_picture_id" uuid,
  	"contact_first_name" varchar,
  	"contact_last_name" varchar,
  	"contact_street_and_house_number" varchar,
  	"contact_postal_code" varchar,
  	"contact_city" varchar,
  	"contact_phone_number" varchar,
  	"invoice_type" "enum_users_invoice_type" DEFAULT 'electronic' NOT NULL,
  	"language" "enum_users_language" DEFAULT 'en' NOT NULL,
  	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
  	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
  );
  
  CREATE TABLE "users_rels" (
  	"id" serial PRIMARY KEY NOT NULL,
  	"order" integer,
  	"parent_id" uuid NOT NULL,
  	"path" varchar NOT NULL,
  	"roles_id" uuid
  );
  
  CREATE TABLE "roles" (
  	"id" uuid PRIMARY KEY NOT NULL,
  	"name" varchar NOT NULL,
  	"slug" varchar NOT NULL,
  	"is_admin" boolean DEFAULT false,
  	"is_support" boolean DEFAULT false,
  	"active" boolean DEFAULT true NOT NULL,
  	"two_factor_required" boolean DEFAULT false,
  	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
  	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
  );
  
  CREATE TABLE "roles_rels" (
  	"id" serial PRIMARY KEY NOT NULL,
  	"order" integer,
  	"parent_id" uuid NOT NULL,
  	"path" varchar NOT NULL,
  	"ticket_categories_id" uuid
  );
  
  CREATE TABLE "ticket_categories" (
  	"id" uuid PRIMARY KEY NOT NULL,
  	"slug" varchar NOT NULL,
  	"active" boolean DEFAULT true,
  	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
  	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
  );
  
  CREATE TABLE "ticket_categories_locales" (
  	"name" varchar NOT NULL,
  	"id" serial PRIMARY KEY NOT NULL,
  	"_locale" "_locales" NOT NULL,
  	"_parent_id" uuid NOT NULL
  );
  
  CREATE TABLE "services_operating_systems" (
  	"_order" integer NOT NULL,
  	"_parent_id" uuid NOT NULL,
  	"id" varchar PRIMARY KEY NOT NULL,
  	"name" varchar,
  	"template_id" varchar
  );
  
  CREATE TABLE "services" (
  	"id" uuid PRIMARY KEY NOT NULL,
  	"slug" varchar NOT NULL,
  	"category" "enum_services_category" NOT NULL,
  	"server_template_id" uuid,
  	"banner_id" uuid,
  	"icon_id" uuid,
  	"resources_cpu_percent_minimum" numeric,
  	"resources_cpu_percent_maximum" numeric,
  	"resources_cpu_percent_step" numeric,
  	"resources_cpu_percent_unit_price_ft" numeric,
  	"resources_ram_mi_b_minimum" numeric,
  	"resources_ram_mi_b_maximum" numeric,
  	"resources_ram_mi_b_step" numeric,
  	"resources_ram_mi_b_unit_price_ft" numeric,
  	"resources_storage_mi_b_minimum" numeric,
  	"resources_storage_mi_b_maximum" numeric,
  	"resources_storage_mi_b_step" numeric,
  	"resources_storage_mi_b_unit_price_ft" numeric,
  	"points_points_count" numeric,
  	"points_minimum_point" numeric,
  	"points_price_per_point_ft" numeric,
  	"orderable" boolean DEFAULT true NOT NULL,
  	"highlighted" boolean DEFAULT false NOT NULL,
  	"position" numeric DEFAULT 100 NOT NULL,
  	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
  	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
  );
  
  CREATE TABLE "services_locales" (
  	"name" varchar NOT NULL,
  	"description" varchar,
  	"id" serial PRIMARY KEY NOT NULL,
  	"_locale" "_locales" NOT NULL,
  	"_parent_id" uuid NOT NULL
  );
  
  CREATE TABLE "services_rels" (
  	"id" serial PRIMARY KEY NOT NULL,
  	"order" integer,
  	"parent_id" uuid NOT NULL,
  	"path" varchar NOT NULL,
  	"computers_id" uuid
  );
  
  CREATE TABLE "packages" (
  	"id" uuid PRIMARY KEY NOT NULL,
  	"service_id" uuid NOT NULL,
  	"price_per_month_ft" numeric NOT NULL,
  	"cpu_percent" numeric NOT NULL,
  	"ram_mi_b" numeric NOT NULL,
  	"storage_mi_b" numeric NOT NULL,
  	"orderable" boolean DEFAULT true NOT NULL,
  	"highlighted" boolean DEFAULT false NOT NULL,
  	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
  	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
  );
  
  CREATE TABLE "packages_locales" (
  	"name" varchar NOT NULL,
  	"description" varchar,
  	"id" serial PRIMARY KEY NOT NULL,
  	"_locale" "_locales" NOT NULL,
  	"_parent_id" uuid NOT NULL
  );
  
  CREATE TABLE "templates_runtimes" (
  	"order" integer NOT NULL,
  	"parent_id" uuid NOT NULL,
  	"value" "enum_templates_runtimes",
  	"id" uuid PRIMARY KEY NOT NULL
  );
  
  CREATE TABLE "templates_docker_images" (
  	"_order" integer NOT NULL,
  	"_parent_id" uuid NOT NULL,
  	"id" varchar PRIMARY KEY NOT NULL,
  	"label" varchar NOT NULL,
  	"image" varchar NOT NULL
  );
  
  CREATE TABLE "templates_startup_program" (
  	"_order" integer NOT NULL,
  	"_parent_id" uuid NOT NULL,
  	"id" varchar PRIMARY KEY NOT NULL,
  	"value" varchar NOT NULL
  );
  
  CREATE TABLE "templates_installation_program_arguments" (
  	"_order" integer NOT NULL,
  	"_parent_id" varchar NOT NULL,
  	"id" varchar PRIMARY KEY NOT NULL,
  	"value" varchar NOT NULL
  );
  
  CREATE TABLE "templates_installation_program" (
  	"_order" integer NOT NULL,
  	"_parent_id" uuid NOT NULL,
  	"id" varchar PRIMARY KEY NOT NULL,
  	"timeout_seconds" numeric
  );
  
  CREATE TABLE "templates_variables" (
  	"_order" integer NOT NULL,
  	"_parent_id" uuid NOT NULL,
  	"id" varchar PRIMARY KEY NOT NULL,
  	"default" varchar,
  	"environment_variable" varchar NOT NULL,
  	"editable" boolean DEFAULT true NOT NULL
  );
  
  CREATE TABLE "templates_variables_locales" (
  	"name" varchar NOT NULL,
  	"id" serial PRIMARY KEY NOT NULL,
  	"_locale" "_locales" NOT NULL,
  	"_parent_id" varchar NOT NULL
  );
  
  CREATE TABLE "templates" (
  	"id" uuid PRIMARY KEY NOT NULL,
  	"name" varchar NOT NULL,
  	"slug" varchar NOT NULL,
  	"needs_internet" boolean DEFAULT false,
  	"startup_text" varchar NOT NULL,
  	"stop_command" varchar NOT NULL,
  	"installation_image" varchar,
  	"installation_script" varchar,
  	"required_ports" numeric DEFAULT 1 NOT NULL,
  	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
  	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
  );
  
  CREATE TABLE "templates_locales" (
  	"description" varchar,
  	"id" serial PRIMARY KEY NOT NULL,
  	"_locale" "_locales" NOT NULL,
  	"_parent_id" uuid NOT NULL
  );
  
  CREATE TABLE "computers" (
  	"id" uuid PRIMARY KEY NOT NULL,
  	"name" varchar NOT NULL,
  	"ip" varchar NOT NULL,
  	"url" varchar NOT NULL,
  	"proxmox_url" varchar,
  	"available_memory_mi_b" numeric NOT NULL,
  	"storage_mi_b" numeric NOT NULL,
  	"cores" numeric NOT NULL,
  	"start_port" numeric NOT NULL,
  	"port_count" numeric NOT NULL,
  	"orderable" boolean DEFAULT true NOT NULL,
  	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
  	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
  );
  
  CREATE TABLE "news" (
  	"id" uuid PRIMARY KEY NOT NULL,
  	"banner_id" uuid,
  	"published" boolean DEFAULT false,
  	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
  	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
  );
  
  CREATE TABLE "news_locales" (
  	"title" varchar NOT NULL,
  	"description" varchar NOT NULL,
  	"id" serial PRIMARY KEY NOT NULL,
  	"_locale" "_locales" NOT NULL,
  	"_parent_id" uuid NOT NULL
  );
  
  CREATE TABLE "media" (
  	"id" uuid PRIMARY KEY NOT NULL,
  	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
  	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
  	"url" varchar,
  	"thumbnail_u_r_l" varchar,
  	"filename" varchar,
  	"mime_type" varchar,
  	"filesize" numeric,
  	"width" numeric,
  	"height" numeric,
  	"focal_x" numeric,
  	"focal_y" numeric
  );
  
  CREATE TABLE "media_locales" (
  	"alt" varchar NOT NULL,
  	"id" serial PRIMARY KEY NOT NULL,
  	"_locale" "_locales" NOT NULL,
  	"_parent_id" uuid NOT NULL
  );
  
  CREATE TABLE "payload_locked_documents" (
  	"id" uuid PRIMARY KEY NOT NULL,
  	"global_slug" varchar,
  	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
  	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
  );
  
  CREATE TABLE "payload_locked_documents_rels" (
  	"id" serial PRIMARY KEY NOT NULL,
  	"order" integer,
  	"parent_id" uuid NOT NULL,
  	"path" varchar NOT NULL,
  	"users_id" uuid,
  	"roles_id" uuid,
  	"ticket_categories_id" uuid,
  	"services_id" uuid,
  	"packages_id" uuid,
  	"templates_id" uuid,
  	"computers_id" uuid,
  	"news_id" uuid,
  	"media_id" uuid
  );
  
  CREATE TABLE "payload_preferences" (
  	"id" uuid PRIMARY KEY NOT NULL,
  	"key" varchar,
  	"value" jsonb,
  	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
  	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
  );
  
  CREATE TABLE "payload_preferences_rels" (
  	"id" serial PRIMARY KEY NOT NULL,
  	"order" integer,
  	"parent_id" uuid NOT NULL,
  	"path" varchar NOT NULL,
  	"users_id" uuid
  );
  
  CREATE TABLE "payload_migrations" (
  	"id" uuid PRIMARY KEY NOT NULL,
  	"name" varchar,
  	"batch" numeric,
  	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
  	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
  );
  
  CREATE TABLE "landing_why_us" (
  	"_order" integer NOT NULL,
  	"_parent_id" uuid NOT NULL,
  	"id" varchar PRIMARY KEY NOT NULL,
  	"icon" "enum_landing_why_us_icon" NOT NULL
  );
  
  CREATE TABLE "landing_why_us_locales" (
  	"title" varchar NOT NULL,
  	"text" varchar NOT NULL,
  	"id" serial PRIMARY KEY NOT NULL,
  	"_locale" "_locales" NOT NULL,
  	"_parent_id" varchar NOT NULL
  );
  
  CREATE TABLE "landing_faq" (
  	"_order" integer NOT NULL,
  	"_parent_id" uuid NOT NULL,
  	"id" varchar PRIMARY KEY NOT NULL
  );
  
  CREATE TABLE "landing_faq_locales" (
  	"question" varchar NOT NULL,
  	"answer" varchar NOT NULL,
  	"id" serial PRIMARY KEY NOT NULL,
  	"_locale" "_locales" NOT NULL,
  	"_parent_id" varchar NOT NULL
  );
  
  CREATE TABLE "landing_partners" (
  	"_order" integer NOT NULL,
  	"_parent_id" uuid NOT NULL,
  	"id" varchar PRIMARY KEY NOT NULL,
  	"name" varchar NOT NULL,
  	"url" varchar,
  	"logo_id" uuid
  );
  
  CREATE TABLE "landing_partners_locales" (
  	"description" varchar NOT NULL,
  	"id" serial PRIMARY KEY NOT NULL,
  	"_locale" "_locales" NOT NULL,
  	"_parent_id" varchar NOT NULL
  );
  
  CREATE TABLE "landing" (
  	"id" uuid PRIMARY KEY NOT NULL,
  	"registry_company_name" varchar,
  	"registry_seat" varchar,
  	"registry_registration_number" varchar,
  	"registry_tax_number" varchar,
  	"registry_email" varchar,
  	"registry_phone" varchar,
  	"registry_data_protection_number" varchar,
  	"banners_web_design_name" varchar,
  	"banners_web_design_url" varchar,
  	"updated_at" timestamp(3) with time zone,
  	"created_at" timestamp(3) with time zone
  );
  
  CREATE TABLE "landing_locales" (
  	"hero_title" varchar NOT NULL,
  	"hero_text" varchar NOT NULL,
  	"hero_call_to_action" varchar NOT NULL,
  	"products_title" varchar NOT NULL,
  	"products_text" varchar NOT NULL,
  	"dashboard_title" varchar NOT NULL,
  	"dashboard_text" varchar NOT NULL,
  	"banners_web_design_text" varchar NOT NULL,
  	"id" serial PRIMARY KEY NOT NULL,
  	"_locale" "_locales" NOT NULL,
  	"_parent_id" uuid NOT NULL
  );
  
  CREATE TABLE "landing_rels" (
  	"id" serial PRIMARY KEY NOT NULL,
  	"order" integer,
  	"parent_id" uuid NOT NULL,
  	"path" varchar NOT NULL,
  	"services_id" uuid
  );
  
  CREATE TABLE "navigation_footer_links" (
  	"_order" integer NOT NULL,
  	"_parent_id" uuid NOT NULL,
  	"id" varchar PRIMARY KEY NOT NULL,
  	"link" varchar NOT NULL
  );
  
  CREATE TABLE "navigation_footer_links_locales" (
  	"title" varchar NOT NULL,
  	"id" serial PRIMARY KEY NOT NULL,
  	"_locale" "_locales" NOT NULL,
  	"_parent_id" varchar NOT NULL
  );
  
  CREATE TABLE "navigation" (
  	"id" uuid PRIMARY KEY NOT NULL,
  	"status_url" varchar,
  	"updated_at" timestamp(3) with time zone,
  	"created_at" timestamp(3) with time zone
  );
  
  CREATE TABLE "documents" (
  	"id" uuid PRIMARY KEY NOT NULL,
  	"terms_version" varchar DEFAULT '1' NOT NULL,
  	"terms_effective_from" timestamp(3) with time zone,
  	"privacy_version" varchar DEFAULT '1' NOT NULL,
  	"privacy_effective_from" timestamp(3) with time zone,
  	"updated_at" timestamp(3) with time zone,
  	"created_at" timestamp(3) with time zone
  );
  
  CREATE TABLE "documents_locales" (
  	"terms_title" varchar NOT NULL,
  	"terms_body" jsonb,
  	"privacy_title" varchar NOT NULL,
  	"privacy_body" jsonb,
  	"id" serial PRIMARY KEY NOT NULL,
  	"_locale" "_locales" NOT NULL,
  	"_parent_id" uuid NOT NULL
  );
  
  CREATE TABLE "settings" (
  	"id" uuid PRIMARY KEY NOT NULL,
  	"host_name" varchar DEFAULT 'Bakter' NOT NULL,
  	"kill_switches_ordering" boolean DEFAULT true NOT NULL,
  	"kill_switches_tickets" boolean DEFAULT true NOT NULL,
  	"kill_switches_server_start" boolean DEFAULT true NOT NULL,
  	"kill_switches_coupon_use" boolean DEFAULT true NOT NULL,
  	"kill_switches_registration" boolean DEFAULT true NOT NULL,
  	"smtp_host" varchar,
  	"smtp_port" numeric,
  	"smtp_username" varchar,
  	"smtp_password" varchar,
  	"smtp_from" varchar,
  	"smtp_name" varchar,
  	"updated_at" timestamp(3) with time zone,
  	"created_at" timestamp(3) with time zone
  );
  
  ALTER TABLE "users" ADD CONSTRAINT "users_profile_picture_id_media_id_fk" FOREIGN KEY ("profile_picture_id") REFERENCES "public"."media"("id") ON DELETE set null ON UPDATE no action;
  ALTER TABLE "users_rels" ADD CONSTRAINT "users_rels_parent_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "users_rels" ADD CONSTRAINT "users_rels_roles_fk" FOREIGN KEY ("roles_id") REFERENCES "public"."roles"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "roles_rels" ADD CONSTRAINT "roles_rels_parent_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."roles"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "roles_rels" ADD CONSTRAINT "roles_rels_ticket_categories_fk" FOREIGN KEY ("ticket_categories_id") REFERENCES "public"."ticket_categories"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "ticket_categories_locales" ADD CONSTRAINT "ticket_categories_locales_parent_id_fk" FOREIGN KEY ("_parent_id") REFERENCES "public"."ticket_categories"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "services_operating_systems" ADD CONSTRAINT "services_operating_systems_parent_id_fk" FOREIGN KEY ("_parent_id") REFERENCES "public"."services"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "services" ADD CONSTRAINT "services_server_template_id_templates_id_fk" FOREIGN KEY ("server_template_id") REFERENCES "public"."templates"("id") ON DELETE set null ON UPDATE no action;
  ALTER TABLE "services" ADD CONSTRAINT "services_banner_id_media_id_fk" FOREIGN KEY ("banner_id") REFERENCES "public"."media"("id") ON DELETE set null ON UPDATE no action;
  ALTER TABLE "services" ADD CONSTRAINT "services_icon_id_media_id_fk" FOREIGN KEY ("icon_id") REFERENCES "public"."media"("id") ON DELETE set null ON UPDATE no action;
  ALTER TABLE "services_locales" ADD CONSTRAINT "services_locales_parent_id_fk" FOREIGN KEY ("_parent_id") REFERENCES "public"."services"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "services_rels" ADD CONSTRAINT "services_rels_parent_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."services"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "services_rels" ADD CONSTRAINT "services_rels_computers_fk" FOREIGN KEY ("computers_id") REFERENCES "public"."computers"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "packages" ADD CONSTRAINT "packages_service_id_services_id_fk" FOREIGN KEY ("service_id") REFERENCES "public"."services"("id") ON DELETE set null ON UPDATE no action;
  ALTER TABLE "packages_locales" ADD CONSTRAINT "packages_locales_parent_id_fk" FOREIGN KEY ("_parent_id") REFERENCES "public"."packages"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "templates_runtimes" ADD CONSTRAINT "templates_runtimes_parent_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."templates"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "templates_docker_images" ADD CONSTRAINT "templates_docker_images_parent_id_fk" FOREIGN KEY ("_parent_id") REFERENCES "public"."templates"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "templates_startup_program" ADD CONSTRAINT "templates_startup_program_parent_id_fk" FOREIGN KEY ("_parent_id") REFERENCES "public"."templates"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "templates_installation_program_arguments" ADD CONSTRAINT "templates_installation_program_arguments_parent_id_fk" FOREIGN KEY ("_parent_id") REFERENCES "public"."templates_installation_program"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "templates_installation_program" ADD CONSTRAINT "templates_installation_program_parent_id_fk" FOREIGN KEY ("_parent_id") REFERENCES "public"."templates"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "templates_variables" ADD CONSTRAINT "templates_variables_parent_id_fk" FOREIGN KEY ("_parent_id") REFERENCES "public"."templates"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "templates_variables_locales" ADD CONSTRAINT "templates_variables_locales_parent_id_fk" FOREIGN KEY ("_parent_id") REFERENCES "public"."templates_variables"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "templates_locales" ADD CONSTRAINT "templates_locales_parent_id_fk" FOREIGN KEY ("_parent_id") REFERENCES "public"."templates"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "news" ADD CONSTRAINT "news_banner_id_media_id_fk" FOREIGN KEY ("banner_id") REFERENCES "public"."media"("id") ON DELETE set null ON UPDATE no action;
  ALTER TABLE "news_locales" ADD CONSTRAINT "news_locales_parent_id_fk" FOREIGN KEY ("_parent_id") REFERENCES "public"."news"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "media_locales" ADD CONSTRAINT "media_locales_parent_id_fk" FOREIGN KEY ("_parent_id") REFERENCES "public"."media"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "payload_locked_documents_rels" ADD CONSTRAINT "payload_locked_documents_rels_parent_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."payload_locked_documents"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "payload_locked_documents_rels" ADD CONSTRAINT "payload_locked_documents_rels_users_fk" FOREIGN KEY ("users_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "payload_locked_documents_rels" ADD CONSTRAINT "payload_locked_documents_rels_roles_fk" FOREIGN KEY ("roles_id") REFERENCES "public"."roles"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "payload_locked_documents_rels" ADD CONSTRAINT "payload_locked_documents_rels_ticket_categories_fk" FOREIGN KEY ("ticket_categories_id") REFERENCES "public"."ticket_categories"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "payload_locked_documents_rels" ADD CONSTRAINT "payload_locked_documents_rels_services_fk" FOREIGN KEY ("services_id") REFERENCES "public"."services"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "payload_locked_documents_rels" ADD CONSTRAINT "payload_locked_documents_rels_packages_fk" FOREIGN KEY ("packages_id") REFERENCES "public"."packages"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "payload_locked_documents_rels" ADD CONSTRAINT "payload_locked_documents_rels_templates_fk" FOREIGN KEY ("templates_id") REFERENCES "public"."templates"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "payload_locked_documents_rels" ADD CONSTRAINT "payload_locked_documents_rels_computers_fk" FOREIGN KEY ("computers_id") REFERENCES "public"."computers"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "payload_locked_documents_rels" ADD CONSTRAINT "payload_locked_documents_rels_news_fk" FOREIGN KEY ("news_id") REFERENCES "public"."news"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "payload_locked_documents_rels" ADD CONSTRAINT "payload_locked_documents_rels_media_fk" FOREIGN KEY ("media_id") REFERENCES "public"."media"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "payload_preferences_rels" ADD CONSTRAINT "payload_preferences_rels_parent_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."payload_preferences"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "payload_preferences_rels" ADD CONSTRAINT "payload_preferences_rels_users_fk" FOREIGN KEY ("users_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "landing_why_us" ADD CONSTRAINT "landing_why_us_parent_id_fk" FOREIGN KEY ("_parent_id") REFERENCES "public"."landing"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "landing_why_us_locales" ADD CONSTRAINT "landing_why_us_locales_parent_id_fk" FOREIGN KEY ("_parent_id") REFERENCES "public"."landing_why_us"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "landing_faq" ADD CONSTRAINT "landing_faq_parent_id_fk" FOREIGN KEY ("_parent_id") REFERENCES "public"."landing"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "landing_faq_locales" ADD CONSTRAINT "landing_faq_locales_parent_id_fk" FOREIGN KEY ("_parent_id") REFERENCES "public"."landing_faq"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "landing_partners" ADD CONSTRAINT "landing_partners_logo_id_media_id_fk" FOREIGN KEY ("logo_id") REFERENCES "public"."media"("id") ON DELETE set null ON UPDATE no action;
  ALTER TABLE "landing_partners" ADD CONSTRAINT "landing_partners_parent_id_fk" FOREIGN KEY ("_parent_id") REFERENCES "public"."landing"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "landing_partners_locales" ADD CONSTRAINT "landing_partners_locales_parent_id_fk" FOREIGN KEY ("_parent_id") REFERENCES "public"."landing_partners"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "landing_locales" ADD CONSTRAINT "landing_locales_parent_id_fk" FOREIGN KEY ("_parent_id") REFERENCES "public"."landing"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "landing_rels" ADD CONSTRAINT "landing_rels_parent_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."landing"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "landing_rels" ADD CONSTRAINT "landing_rels_services_fk" FOREIGN KEY ("services_id") REFERENCES "public"."services"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "navigation_footer_links" ADD CONSTRAINT "navigation_footer_links_parent_id_fk" FOREIGN KEY ("_parent_id") REFERENCES "public"."navigation"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "navigation_footer_links_locales" ADD CONSTRAINT "navigation_footer_links_locales_parent_id_fk" FOREIGN KEY ("_parent_id") REFERENCES "public"."navigation_footer_links"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "documents_locales" ADD CONSTRAINT "documents_locales_parent_id_fk" FOREIGN KEY ("_parent_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;
  CREATE UNIQUE INDEX "users_username_idx" ON "users" USING btree ("username");
  CREATE UNIQUE INDEX "users_identifier_idx" ON "users" USING btree ("identifier");
  CREATE UNIQUE INDEX "users_email_idx" ON "users" USING btree ("email");
  CREATE INDEX "users_profile_picture_idx" ON "users" USING btree ("profile_picture_id");
  CREATE INDEX "users_updated_at_idx" ON "users" USING btree ("updated_at");
  CREATE INDEX "users_created_at_idx" ON "users" USING btree ("created_at");
  CREATE INDEX "users_rels_order_idx" ON "users_rels" USING btree ("order");
  CREATE INDEX "users_rels_parent_idx" ON "users_rels" USING btree ("parent_id");
  CREATE INDEX "users_rels_path_idx" ON "users_rels" USING btree ("path");
  CREATE INDEX "users_rels_roles_id_idx" ON "users_rels" USING btree ("roles_id");
  CREATE UNIQUE INDEX "roles_slug_idx" ON "roles" USING btree ("slug");
  CREATE INDEX "roles_updated_at_idx" ON "roles" USING btree ("updated_at");
  CREATE INDEX "roles_created_at_idx" ON "roles" USING btree ("created_at");
  CREATE INDEX "roles_rels_order_idx" ON "roles_rels" USING btree ("order");
  CREATE INDEX "roles_rels_parent_idx" ON "roles_rels" USING btree ("parent_id");
  CREATE INDEX "roles_rels_path_idx" ON "roles_rels" USING btree ("path");
  CREATE INDEX "roles_rels_ticket_categories_id_idx" ON "roles_rels" USING btree ("ticket_categories_id");
  CREATE UNIQUE INDEX "ticket_categories_slug_idx" ON "ticket_categories" USING btree ("slug");
  CREATE INDEX "ticket_categories_updated_at_idx" ON "ticket_categories" USING btree ("updated_at");
  CREATE INDEX "ticket_categories_created_at_idx" ON "ticket_categories" USING btree ("created_at");
  CREATE UNIQUE INDEX "ticket_categories_locales_locale_parent_id_unique" ON "ticket_categories_locales" USING btree ("_locale","_parent_id");
  CREATE INDEX "services_operating_systems_order_idx" ON "services_operating_systems" USING btree ("_order");
  CREATE INDEX "services_operating_systems_parent_id_idx" ON "services_operating_systems" USING btree ("_parent_id");
  CREATE UNIQUE INDEX "services_slug_idx" ON "services" USING btree ("slug");
  CREATE INDEX "services_category_idx" ON "services" USING btree ("category");
  CREATE INDEX "services_server_template_idx" ON "services" USING btree ("server_template_id");
  CREATE INDEX "services_banner_idx" ON "services" USING btree ("banner_id");
  CREATE INDEX "services_icon_idx" ON "services" USING btree ("icon_id");
  CREATE INDEX "services_orderable_idx" ON "services" USING btree ("orderable");
  CREATE INDEX "services_updated_at_idx" ON "services" USING btree ("updated_at");
  CREATE INDEX "services_created_at_idx" ON "services" USING btree ("created_at");
  CREATE UNIQUE INDEX "services_locales_locale_parent_id_unique" ON "services_locales" USING btree ("_locale","_parent_id");
  CREATE INDEX "services_rels_order_idx" ON "services_rels" USING btree ("order");
  CREATE INDEX "services_rels_parent_idx" ON "services_rels" USING btree ("parent_id");
  CREATE INDEX "services_rels_path_idx" ON "services_rels" USING btree ("path");
  CREATE INDEX "services_rels_computers_id_idx" ON "services_rels" USING btree ("computers_id");
  CREATE INDEX "packages_service_idx" ON "packages" USING btree ("service_id");
  CREATE INDEX "packages_orderable_idx" ON "packages" USING btree ("orderable");
  CREATE INDEX "packages_updated_at_idx" ON "packages" USING btree ("updated_at");
  CREATE INDEX "packages_created_at_idx" ON "packages" USING btree ("created_at");
  CREATE UNIQUE INDEX "packages_locales_locale_parent_id_unique" ON "packages_locales" USING btree ("_locale","_parent_id");
  CREATE INDEX "templates_runtimes_order_idx" ON "templates_runtimes" USING btree ("order");
  CREATE INDEX "templates_runtimes_parent_idx" ON "templates_runtimes" USING btree ("parent_id");
  CREATE INDEX "templates_docker_images_order_idx" ON "templates_docker_images" USING btree ("_order");
  CREATE INDEX "templates_docker_images_parent_id_idx" ON "templates_docker_images" USING btree ("_parent_id");
  CREATE INDEX "templates_startup_program_order_idx" ON "templates_startup_program" USING btree ("_order");
  CREATE INDEX "templates_startup_program_parent_id_idx" ON "templates_startup_program" USING btree ("_parent_id");
  CREATE INDEX "templates_installation_program_arguments_order_idx" ON "templates_installation_program_arguments" USING btree ("_order");
  CREATE INDEX "templates_installation_program_arguments_parent_id_idx" ON "templates_installation_program_arguments" USING btree ("_parent_id");
  CREATE INDEX "templates_installation_program_order_idx" ON "templates_installation_program" USING btree ("_order");
  CREATE INDEX "templates_installation_program_parent_id_idx" ON "templates_installation_program" USING btree ("_parent_id");
  CREATE INDEX "templates_variables_order_idx" ON "templates_variables" USING btree ("_order");
  CREATE INDEX "templates_variables_parent_id_idx" ON "templates_variables" USING btree ("_parent_id");
  CREATE UNIQUE INDEX "templates_variables_locales_locale_parent_id_unique" ON "templates_variables_locales" USING btree ("_locale","_parent_id");
  CREATE UNIQUE INDEX "templates_slug_idx" ON "templates" USING btree ("slug");
  CREATE INDEX "templates_updated_at_idx" ON "templates" USING btree ("updated_at");
  CREATE INDEX "templates_created_at_idx" ON "templates" USING btree ("created_at");
  CREATE UNIQUE INDEX "templates_locales_locale_parent_id_unique" ON "templates_locales" USING btree ("_locale","_parent_id");
  CREATE UNIQUE INDEX "computers_name_idx" ON "computers" USING btree ("name");
  CREATE INDEX "computers_updated_at_idx" ON "computers" USING btree ("updated_at");
  CREATE INDEX "computers_created_at_idx" ON "computers" USING btree ("created_at");
  CREATE INDEX "news_banner_idx" ON "news" USING btree ("banner_id");
  CREATE INDEX "news_published_idx" ON "news" USING btree ("published");
  CREATE INDEX "news_updated_at_idx" ON "news" USING btree ("updated_at");
  CREATE INDEX "news_created_at_idx" ON "news" USING btree ("created_at");
  CREATE UNIQUE INDEX "news_locales_locale_parent_id_unique" ON "news_locales" USING btree ("_locale","_parent_id");
  CREATE INDEX "media_updated_at_idx" ON "media" USING btree ("updated_at");
  CREATE INDEX "media_created_at_idx" ON "media" USING btree ("created_at");
  CREATE UNIQUE INDEX "media_filename_idx" ON "media" USING btree ("filename");
  CREATE UNIQUE INDEX "media_locales_locale_parent_id_unique" ON "media_locales" USING btree ("_locale","_parent_id");
  CREATE INDEX "payload_locked_documents_global_slug_idx" ON "payload_locked_documents" USING btree ("global_slug");
  CREATE INDEX "payload_locked_documents_updated_at_idx" ON "payload_locked_documents" USING btree ("updated_at");
  CREATE INDEX "payload_locked_documents_created_at_idx" ON "payload_locked_documents" USING btree ("created_at");
  CREATE INDEX "payload_locked_documents_rels_order_idx" ON "payload_locked_documents_rels" USING btree ("order");
  CREATE INDEX "payload_locked_documents_rels_parent_idx" ON "payload_locked_documents_rels" USING btree ("parent_id");
  CREATE INDEX "payload_locked_documents_rels_path_idx" ON "payload_locked_documents_rels" USING btree ("path");
  CREATE INDEX "payload_locked_documents_rels_users_id_idx" ON "payload_locked_documents_rels" USING btree ("users_id");
  CREATE INDEX "payload_locked_documents_rels_roles_id_idx" ON "payload_locked_documents_rels" USING btree ("roles_id");
  CREATE INDEX "payload_locked_documents_rels_ticket_categories_id_idx" ON "payload_locked_documents_rels" USING btree ("ticket_categories_id");
  CREATE INDEX "payload_locked_documents_rels_services_id_idx" ON "payload_locked_documents_rels" USING btree ("services_id");
  CREATE INDEX "payload_locked_documents_rels_packages_id_idx" ON "payload_locked_documents_rels" USING btree ("packages_id");
  CREATE INDEX "payload_locked_documents_rels_templates_id_idx" ON "payload_locked_documents_rels" USING btree ("templates_id");
  CREATE INDEX "payload_locked_documents_rels_computers_id_idx" ON "payload_locked_documents_rels" USING btree ("computers_id");
  CREATE INDEX "payload_locked_documents_rels_news_id_idx" ON "payload_locked_documents_rels" USING btree ("news_id");
  CREATE INDEX "payload_locked_documents_rels_media_id_idx" ON "payload_locked_documents_rels" USING btree ("media_id");
  CREATE INDEX "payload_preferences_key_idx" ON "payload_preferences" USING btree ("key");
  CREATE INDEX "payload_preferences_updated_at_idx" ON "payload_preferences" USING btree ("updated_at");
  CREATE INDEX "payload_preferences_created_at_idx" ON "payload_preferences" USING btree ("created_at");
  CREATE INDEX "payload_preferences_rels_order_idx" ON "payload_preferences_rels" USING btree ("order");
  CREATE INDEX "payload_preferences_rels_parent_idx" ON "payload_preferences_rels" USING btree ("parent_id");
  CREATE INDEX "payload_preferences_rels_path_idx" ON "payload_preferences_rels" USING btree ("path");
  CREATE INDEX "payload_preferences_rels_users_id_idx" ON "payload_preferences_rels" USING btree ("users_id");
  CREATE INDEX "payload_migrations_updated_at_idx" ON "payload_migrations" USING btree ("updated_at");
  CREATE INDEX "payload_migrations_created_at_idx" ON "payload_migrations" USING btree ("created_at");
  CREATE INDEX "landing_why_us_order_idx" ON "landing_why_us" USING btree ("_order");
  CREATE INDEX "landing_why_us_parent_id_idx" ON "landing_why_us" USING btree ("_parent_id");
  CREATE UNIQUE INDEX "landing_why_us_locales_locale_parent_id_unique" ON "landing_why_us_locales" USING btree ("_locale","_parent_id");
  CREATE INDEX "landing_faq_order_idx" ON "landing_faq" USING btree ("_order");
  CREATE INDEX "landing_faq_parent_id_idx" ON "landing_faq" USING btree ("_parent_id");
  CREATE UNIQUE INDEX "landing_faq_locales_locale_parent_id_unique" ON "landing_faq_locales" USING btree ("_locale","_parent_id");
  CREATE INDEX "landing_partners_order_idx" ON "landing_partners" USING btree ("_order");
  CREATE INDEX "landing_partners_parent_id_idx" ON "landing_partners" USING btree ("_parent_id");
  CREATE INDEX "landing_partners_logo_idx" ON "landing_partners" USING btree ("logo_id");
  CREATE UNIQUE INDEX "landing_partners_locales_locale_parent_id_unique" ON "landing_partners_locales" USING btree ("_locale","_parent_id");
  CREATE UNIQUE INDEX "landing_locales_locale_parent_id_unique" ON "landing_locales" USING btree ("_locale","_parent_id");
  CREATE INDEX "landing_rels_order_idx" ON "landing_rels" USING btree ("order");
  CREATE INDEX "landing_rels_parent_idx" ON "landing_rels" USING btree ("parent_id");
  CREATE INDEX "landing_rels_path_idx" ON "landing_rels" USING btree ("path");
  CREATE INDEX "landing_rels_services_id_idx" ON "landing_rels" USING btree ("services_id");
  CREATE INDEX "navigation_footer_links_order_idx" ON "navigation_footer_links" USING btree ("_order");
  CREATE INDEX "navigation_footer_links_parent_id_idx" ON "navigation_footer_links" USING btree ("_parent_id");
  CREATE UNIQUE INDEX "navigation_footer_links_locales_locale_parent_id_unique" ON "navigation_footer_links_locales" USING btree ("_locale","_parent_id");
  CREATE UNIQUE INDEX "documents_locales_locale_parent_id_unique" ON "documents_locales" USING btree ("_locale","_parent_id");`)
}

export async function down({ db }: MigrateDownArgs): Promise<void> {
  await db.execute(sql`
   DROP TABLE "users" CASCADE;
  DROP TABLE "users_rels" CASCADE;
  DROP TABLE "roles" CASCADE;
  DROP TABLE "roles_rels" CASCADE;
  DROP TABLE "ticket_categories" CASCADE;
  DROP TABLE "ticket_categories_locales" CASCADE;
  DROP TABLE "services_operating_systems" CASCADE;
  DROP TABLE "services" CASCADE;
  DROP TABLE "services_locales" CASCADE;
  DROP TABLE "services_rels" CASCADE;
  DROP TABLE "packages" CASCADE;
  DROP TABLE "packages_locales" CASCADE;
  DROP TABLE "templates_runtimes" CASCADE;
  DROP TABLE "templates_docker_images" CASCADE;
  DROP TABLE "templates_startup_program" CASCADE;
  DROP TABLE "templates_installation_program_arguments" CASCADE;
  DROP TABLE "templates_installation_program" CASCADE;
  DROP TABLE "templates_variables" CASCADE;
  DROP TABLE "templates_variables_locales" CASCADE;
  DROP TABLE "templates" CASCADE;
  DROP TABLE "templates_locales" CASCADE;
  DROP TABLE "computers" CASCADE;
  DROP TABLE "news" CASCADE;
  DROP TABLE "news_locales" CASCADE;
  DROP TABLE "media" CASCADE;
  DROP TABLE "media_locales" CASCADE;
  DROP TABLE "payload_locked_documents" CASCADE;
  DROP TABLE "payload_locked_documents_rels" CASCADE;
  DROP TABLE "payload_preferences" CASCADE;
  DROP TABLE "payload_preferences_rels" CASCADE;
  DROP TABLE "payload_migrations" CASCADE;
  DROP TABLE "landing_why_us" CASCADE;
  DROP TABLE "landing_why_us_locales" CASCADE;
  DROP TABLE "landing_faq" CASCADE;
  DROP TABLE "landing_faq_locales" CASCADE;
  DROP TABLE "landing_partners" CASCADE;
  DROP TABLE "landing_partners_locales" CASCADE;
  DROP TABLE "landing" CASCADE;
  DROP TABLE "landing_locales" CASCADE;
  DROP TABLE "landing_rels" CASCADE;
  DROP TABLE "navigation_footer_links" CASCADE;
  DROP TABLE "navigation_footer_links_locales" CASCADE;
  DROP TABLE "navigation" CASCADE;
  DROP TABLE "documents" CASCADE;
  DROP TABLE "documents_locales" CASCADE;
  DROP TABLE "settings" CASCADE;
  DROP TYPE "public"."_locales";
  DROP TYPE "public"."enum_users_invoice_type";
  DROP TYPE "public"."enum_users_language";
  DROP TYPE "public"."enum_services_category";
  DROP TYPE "public"."enum_templates_runtimes";
  DROP TYPE "public"."enum_landing_why_us_icon";`)
}
