-- Why an agent has no room for another job although it has slots, in its own words; '' while it has.
alter table agent add column waits text not null default '';
