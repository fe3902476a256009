-- Who changed a product, a group of pipelines or a team last; empty: nobody since this was noted.
alter table product add column updated_by text not null default '';
alter table pipeline_group add column updated_by text not null default '';
alter table pipeline_group add column updated_at timestamptz not null default now();
update pipeline_group set updated_at = created_at;
alter table team add column updated_by text not null default '';
