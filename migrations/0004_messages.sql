-- The messages of the contact form are few among many events; without it, listing them reads every event.
CREATE INDEX events_of_messages ON events (name) WHERE name = 'contact_message';
