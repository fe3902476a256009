-- Which round of settling holds a service: what an earlier one still has in hand, it writes no more.
alter table service add column settle_round int not null default 0;
