-- A bell that names a ticket goes with it, however the ticket ends: by hand, by age, with its opener's account, or with the ticket that it was merged into.
-- One without a link to it has its id as aboutTicketId.
create index notifications_ticket on control.notifications ((coalesce(data ->> 'ticketId', data ->> 'aboutTicketId')))
  where coalesce(data ->> 'ticketId', data ->> 'aboutTicketId') is not null;

create function control.forget_ticket_bells() returns trigger language plpgsql set search_path = '' as $$
begin
  delete from control.notifications n where coalesce(n.data ->> 'ticketId', n.data ->> 'aboutTicketId') in (select g.id::text from gone g);
  return null;
end $$;
create trigger tickets_forget_bells after delete on control.tickets
  referencing old table as gone for each statement execute function control.forget_ticket_bells();

-- Those of tickets that are gone already.
delete from control.notifications n
  where coalesce(n.data ->> 'ticketId', n.data ->> 'aboutTicketId') is not null
    and not exists (select 1 from control.tickets t where t.id::text = coalesce(n.data ->> 'ticketId', n.data ->> 'aboutTicketId'));
