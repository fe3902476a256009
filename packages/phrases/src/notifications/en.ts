/** Notifications of the bell, and toasts that name an object. */
export const en = {
  'notifications-error-too-long': 'The text of an error has at most 1,000 characters',
  'notifications-error': '{text}',

  // Success and failure
  'notifications-build-success': '{pipeline} #{number} succeeded',
  'notifications-build-failed': '{pipeline} #{number} failed',
  'notifications-build-aborted': '{pipeline} #{number} was stopped',
  'notifications-build-fixed': '{pipeline} is fixed with #{number}',
  'notifications-build-waiting': '{pipeline} #{number} waits for a decision',
  'notifications-build-deployed': '{pipeline} #{number} has been deployed',
  'notifications-upgrade-ready': 'The upgrade of {service} in {stack} is ready: confirm it or roll it back',
  'notifications-gray-taken-back': 'The gray deployment of {service} in {stack} was taken back by its rule',
  'notifications-upgrades-ready':
    'The upgrade of {count} {count:service|services} in {stack} is ready: confirm it or roll it back',
  'notifications-service-done': '{service} in {stack} runs as you asked',
  'notifications-services-done': '{count} {count:service|services} in {stack} run as you asked',
  'notifications-service-stopped': '{service} in {stack} has stopped, as you asked',
  'notifications-service-failed': '{service} in {stack} failed',
  'notifications-drain-done': 'All pods have left host {host} of cluster {cluster}',
  'notifications-drain-stopped': 'The drain of host {host} of cluster {cluster} was stopped',
  'notifications-drain-failed': 'The drain of host {host} of cluster {cluster} failed',

  'notifications-batch-edited': 'The batch edit is done: {count} {count:pipeline|pipelines} changed',
  'notifications-batch-edited-in-part':
    'The batch edit changed {count} {count:pipeline|pipelines}; {failed} {failed:pipeline|pipelines} failed',
  'notifications-batch-restored': 'The batch edit is undone: {count} {count:pipeline|pipelines} restored',
  'notifications-batch-restored-in-part':
    '{count} {count:pipeline|pipelines} of the batch edit restored; {failed} {failed:pipeline|pipelines} left as they are',

  // The bell
  'notifications-title': 'Notifications',
  'notifications-bell': 'Notifications, {count} unread',
  'notifications-bell-none': 'Notifications, none unread',
  'notifications-none': 'Nothing yet',
  'notifications-none-memo':
    'Builds that you start, deployments, upgrades, drains and errors are listed here when they end.',
  'notifications-read-all': 'Mark all as read',
  'notifications-read-one': 'Mark as read',
  'notifications-unread': 'Unread',
  'notifications-older': 'Show older',
  'notifications-in-team': 'in team {team}',

  // Rules
  'notification-rule-one-scope': 'Choose a group or a pipeline, not both',
  'notification-rule-nobody':
    'Choose who is told: whoever started the build, whoever decides, members, roles, chats or webhooks',
  'notification-rule-strangers': 'One of these members or roles is not of this team any more. Choose again.',
  'notification-rule-name-taken': 'The team already has a notification rule named {name}. Choose another name.',
  'notification-rule-changed':
    'Someone else has changed the notification rule {name} in the meantime. Reload and make your change again.',
  'notifications-event-build.failed': 'Build failed',
  'notifications-event-build.fixed': 'Build fixed',
  'notifications-event-build.waiting': 'Build waits for a person',
  'notifications-event-build.deployed': 'Build deployed',
  'notifications-event-build.success': 'Build succeeded',
  'notifications-event-test': 'Test',
  'notifications-event-build.aborted': 'Build aborted',
  'notifications-ui-rules-about':
    'Who in the team is told what becomes of builds: people in the bell or by email, as far as they may see the builds, and chats and webhooks.',
  'notifications-ui-rule-add': 'Add rule',
  'notifications-ui-rule-edit': 'Edit rule {name}',
  'notifications-ui-rule-delete-title': 'Delete the rule {name}?',
  'notifications-ui-rules-none': 'No notification rules',
  'notifications-ui-rules-none-memo':
    'Without a rule, only whoever started a build is told of its end. A rule tells others as well, when it fails or waits for them.',
  'notifications-ui-rules-search': 'Search rules, groups and pipelines',
  'notifications-ui-name': 'Name',
  'notifications-ui-events': 'Events',
  'notifications-ui-scope': 'Builds of',
  'notifications-ui-scope-all': 'All pipelines',
  'notifications-ui-group': 'Group',
  'notifications-ui-pipeline': 'Pipeline',
  'notifications-ui-branches': 'Branches and tags',
  'notifications-ui-branches-help': 'Patterns such as release/*; without any, all',
  'notifications-ui-channels': 'How',
  'notifications-ui-channel-bell': 'Bell',
  'notifications-ui-channel-mail': 'Email',
  'notifications-ui-who': 'Who',
  'notifications-ui-triggerer': 'Whoever started the build',
  'notifications-ui-deciders': 'Whoever may decide, while it waits',
  'notifications-ui-users': 'Members',
  'notifications-ui-roles': 'Roles',
  'notifications-ui-methods': 'Chats and webhooks',
  'notifications-ui-methods-help': 'Those among the notification methods of the team, which are set up under Alarms.',
  'notifications-ui-methods-count': '{count} {count:chat or webhook|chats and webhooks}',
  'notifications-ui-members-count': '{count} {count:member|members}',
  'notifications-ui-roles-count': '{count} {count:role|roles}',
  'notifications-ui-enabled': 'Switched on',
  'notifications-ui-updated': 'Changed',
}
