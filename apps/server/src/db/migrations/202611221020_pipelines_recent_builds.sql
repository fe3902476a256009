-- Which teams use an agent is told by their builds of the last hour.
create index build_ended on build (ended_at);
