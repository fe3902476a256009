-- A page of users by name is read from its index.
create index account_by_natural_name on account (name_order(user_name) collate "C", id);
