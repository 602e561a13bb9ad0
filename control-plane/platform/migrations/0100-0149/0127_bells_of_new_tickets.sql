-- One unread bell stands for all new tickets that somebody in support has not looked at (decision 101). Of two tickets that are opened at once the
-- second one finds it.
create unique index notifications_new_tickets on control.notifications (user_id) where text = 'ticket.opened' and read_at is null;

-- Such a bell takes a new id with each ticket, so that it stands at the top and is unread for whoever has just read everything before it. Pushes about it
-- stay with it.
alter table control.push_messages
  drop constraint push_messages_notification_id_fkey,
  add constraint push_messages_notification_id_fkey foreign key (notification_id) references control.notifications (id)
    on update cascade on delete cascade;

-- As before, but in the order in which whoever counts new tickets takes the bells of several people, so that neither waits for the other for ever.
create or replace function control.forget_ticket_bells() returns trigger language plpgsql set search_path = '' as $$
begin
  with ended as (
    select n.id from control.notifications n
    where coalesce(n.data ->> 'ticketId', n.data ->> 'aboutTicketId') in (select g.id::text from gone g)
    order by n.user_id, n.id for update)
  delete from control.notifications n using ended where n.id = ended.id;
  return null;
end $$;
