-- The versions that have run here, each from its first start, so that people are told once of what a new one brings.
create table product_version (
  version text primary key,
  -- whether the manual tells what it brings
  noted boolean not null,
  -- the first of a new installation has always been there: nobody knew another
  first_at timestamptz not null
);

-- Before this table there was a version too, which people know.
insert into product_version (version, noted, first_at)
select '', false, '-infinity' where exists (select from account);

alter table account add column read_version text;
