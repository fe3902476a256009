/** Alarms: refusals, and the messages to people and programs. */
export const en = {
  // Refusals
  'alarms-threshold-range': 'A threshold is a number from 0 to 10,000',
  'alarms-for-range': 'A condition holds for 0 to 1,440 whole minutes before it fires',
  'alarms-condition-twice': 'Two of these conditions are the same. Remove one of them.',
  'alarms-no-condition': 'Add a condition, or choose a template that has some',
  'alarms-repeat-range': 'A rule tells again after 1 to 168 whole hours, or never (0)',
  'alarms-silence-range': 'A rule can be silenced for up to 43,200 minutes (30 days)',
  'alarms-name-taken': 'The team already has an alarm rule named {name}. Choose another name.',
  'alarms-changed':
    'Someone else has changed the alarm rule {name} in the meantime. Reload and make your change again.',
  'alarms-resource-gone':
    'One of these services or stacks no longer exists, or is not of this team. Remove it from the rule.',
  'alarms-channel-gone': 'One of these notification methods no longer exists. Choose again.',
  'alarms-rule-gone': 'One of these alarm rules no longer exists. Choose again.',
  'alarms-template-gone': 'This template no longer exists. Choose another one, or none.',
  'alarms-nothing-fires': 'Nothing of the alarm rule {name} fires that nobody has acknowledged yet',
  'alarms-template-name-taken': 'The team already has an alarm template named {name}. Choose another name.',
  'alarms-template-changed':
    'Someone else has changed the alarm template {name} in the meantime. Reload and make your change again.',
  'alarms-template-in-use':
    'The template {name} is in use by the alarm rule {rule} and cannot be deleted. Choose another template there first.',
  'alarms-channel-name-too-long': 'The name of a notification method has at most 15 characters',
  'alarms-channel-name-taken': 'The team already has a notification method named {name}. Choose another name.',
  'alarms-channel-changed':
    'Someone else has changed the notification method {name} in the meantime. Reload and make your change again.',
  'alarms-channel-in-use':
    'The notification method {name} is in use by the alarm rule {rule} and cannot be deleted. Remove it there, or switch the rule off first.',
  'alarms-channel-told-builds':
    'A notification rule of the pipelines tells the notification method {name} of builds, so it cannot be deleted. Remove it from the rule first.',
  'alarms-channel-nobody': 'Choose who is told: all members, some of them, or an address',
  'alarms-channel-strangers': 'One of these users is not a member of this team any more. Choose again.',
  'alarms-channel-empty':
    'Nobody would be told: none of those whom the notification method {name} names is a member who may view alarms',

  // Messages
  'alarms-told-cpu_percent': 'CPU of an instance at {value} % of its limit (threshold {operator} {threshold} %)',
  'alarms-told-memory_percent': 'memory of an instance at {value} % of its limit (threshold {operator} {threshold} %)',
  'alarms-told-unavailable': '{value} {value:instance is|instances are} not ready (threshold {operator} {threshold})',
  'alarms-told-restarts': '{value} {value:restart|restarts} within 15 minutes (threshold {operator} {threshold})',
  'alarms-told-fired-critical': 'Critical: {service} in {stack}, {cause}. Rule {rule}, cluster {cluster}.',
  'alarms-told-fired-warning': 'Warning: {service} in {stack}, {cause}. Rule {rule}, cluster {cluster}.',
  'alarms-told-reminded-critical': 'Still critical: {service} in {stack}, {cause}. Rule {rule}, cluster {cluster}.',
  'alarms-told-reminded-warning': 'Warning goes on: {service} in {stack}, {cause}. Rule {rule}, cluster {cluster}.',
  'alarms-told-resolved': 'Resolved: {service} in {stack}, {cause}. Rule {rule}, cluster {cluster}.',
  'alarms-told-more': '{count} more {count:alarm|alarms} of the rule {rule}',
  'alarms-told-more-resolved': '{count} more {count:alarm|alarms} of the rule {rule} resolved',
  'alarms-told-cluster-gone': 'The cluster {cluster} is not responding: no alarm watches it until it does',
  'alarms-told-cluster-back': 'The cluster {cluster} is responding again: alarms watch it',
  'alarms-told-metrics-gone': 'There are no metrics of the cluster {cluster}: no alarm watches CPU and memory there',
  'alarms-told-metrics-back': 'There are metrics of the cluster {cluster} again: alarms watch CPU and memory there',
  'alarms-told-test': 'Test of the notification method {channel}, sent by {by}',
  'mail-alarm-subject': '{product}: {text}',
  'mail-alarm-text': '{text}\n\n{link}',
}
