/** What the bell tells, and the toasts that name an object. */
export const en = {
  'notifications-error-too-long': 'The text of an error has at most 1,000 characters',
  'notifications-error': '{text}',

  // What finished or failed
  'notifications-build-success': '{pipeline} #{number} succeeded',
  'notifications-build-failed': '{pipeline} #{number} failed',
  'notifications-build-aborted': '{pipeline} #{number} was stopped',
  'notifications-upgrade-ready': 'The upgrade of {service} in {stack} is ready: confirm it or roll it back',
  'notifications-service-failed': '{service} in {stack} failed',
  'notifications-drain-done': 'All pods have left host {host} of cluster {cluster}',
  'notifications-drain-stopped': 'The drain of host {host} of cluster {cluster} was stopped',
  'notifications-drain-failed': 'The drain of host {host} of cluster {cluster} failed',

  // The bell
  'notifications-title': 'Notifications',
  'notifications-bell': 'Notifications, {count} unread',
  'notifications-bell-none': 'Notifications, none unread',
  'notifications-none': 'Nothing yet',
  'notifications-none-memo': 'Builds that you start, upgrades, drains and errors are listed here when they end.',
  'notifications-read-all': 'Mark all as read',
  'notifications-read-one': 'Mark as read',
  'notifications-unread': 'Unread',
  'notifications-older': 'Show older',
  'notifications-in-team': 'in team {team}',
}
