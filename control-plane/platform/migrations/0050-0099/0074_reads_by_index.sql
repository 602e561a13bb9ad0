-- Every charge asks for the invoice of its document, every paper for what corrects it, and every look at a server for the renewals that
-- were withdrawn. Without these a day with many renewals reads, for each of them, all that were made before it. `invoices_document` and
-- `invoices_correction` hold only some of the rows, so they cannot answer.
create index invoices_of_document on control.invoices (document_kind, document_id);
create index invoices_correcting on control.invoices (correction_of) where correction_of is not null;
create index renewals_withdrawn on control.renewals (server_id, period_start) where withdrawn_at is not null;

-- The outbox is read in the order of writing: with the moments alone, each hundred messages cost a look at all that wait.
create index outbox_order on control.outbox (created_at, id);
