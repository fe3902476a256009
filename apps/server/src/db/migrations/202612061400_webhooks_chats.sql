-- A chat's address is in the sealed secret; url has what may be shown of it. The previous release, which would send its
-- own kind of message, reaches nothing there.
alter table webhook
  add column kind text not null default 'signed' check (kind in ('signed', 'dingtalk', 'wecom', 'feishu', 'slack')),
  add column language text not null default 'en' check (language in ('en', 'zh'));
alter table alarm_channel
  drop constraint alarm_channel_kind_check,
  add constraint alarm_channel_kind_check
    check (kind in ('mail', 'webhook', 'push', 'dingtalk', 'wecom', 'feishu', 'slack'));
