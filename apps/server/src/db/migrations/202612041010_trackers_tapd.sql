-- TAPD is a tracker like Jira, and there is one connection to it. Its email is the API's user, its token the password, its
-- projects are workspaces, and its transition is a status.
alter table jira drop constraint jira_kind_check;
alter table jira add constraint jira_kind_check check (kind in ('cloud', 'data-center', 'tapd'));
create unique index jira_one_tapd on jira (kind) where kind = 'tapd';
alter table jira add column enabled boolean not null default true;

-- where people see the issue, where its key does not say it
alter table jira_issue add column path text not null default '';
