-- A conversion that made a test server larger, and that its node has not taken. A program of the release before writes no
-- generation: what it converts is looked at by nobody, as before.
alter table control.orders
  -- What the server's specification had from the conversion on.
  add column converted_generation integer check (converted_generation >= 2),
  -- Package, price, size and end of the test, to go back to.
  add column converted_from jsonb,
  -- Since when the node is known to have the size. It stays so, also where the node loses its record later.
  add column taken_at timestamptz,
  -- A test server again, and everything given back.
  add column reversed_at timestamptz,
  add constraint orders_converted check ((converted_generation is null) = (converted_from is null)),
  add constraint orders_reversed check (reversed_at is null
    or taken_at is null and state = 'failed' and converted_generation is not null);
-- A server whose conversion was taken back can be ordered again.
alter table control.orders drop constraint orders_server_id_key;
create unique index orders_server on control.orders (server_id) where reversed_at is null;
create index orders_of_server on control.orders (server_id);
create index orders_untaken on control.orders (server_id)
  where converted_generation is not null and taken_at is null and reversed_at is null;
