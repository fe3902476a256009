-- The fields in which a revision differs from the one before, noted when it is made: a list of revisions need not read
-- and compare their documents. Null: there is none before it.
alter table service_revision add column changes text[];

update service_revision r
set changes = array(
  select key from jsonb_each(before.spec) as a (key, value) full join jsonb_each(r.spec) as b (key, value) using (key)
  where a.value is distinct from b.value
  order by key)
from service_revision before
where before.service_id = r.service_id and before.revision = r.revision - 1;
