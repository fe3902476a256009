/** Upgrades by a copy beside the service. */
export const en = {
  // Rules of the contract
  'gray-weight': 'Enter a whole percentage from 1 to 100',
  'gray-pause': 'Enter a whole number of seconds from 1 to 604,800, or leave it out to wait for somebody',
  'gray-rule': 'Enter a whole number from 1 to 1,000, or leave it out',
  'gray-steps': 'Enter 1 to 20 steps',
  'gray-rising': 'Each step has a larger part than the one before',

  // Refusals
  'stacks-name-of-copy': 'The name {name} ends in -next, as the copies of upgrades do. Choose another one.',
  'stacks-copy-workload':
    'The service {name} is a {workload}: a second one cannot be beside it. Upgrade it instance by instance.',
  'stacks-copy-claim':
    'The service {name} has a claim for the pods of one host, so no second one can run beside it. Upgrade it instance by instance.',
  'stacks-copy-outward': 'The service {name} leads outward and runs nothing itself, so there is no copy of it',
  'stacks-copy-empty': 'The service {name} would have no instance, so there is nothing to put beside it',
  'stacks-copy-name': 'The stack has a service named {name}, which is the name of the copy. Delete that service first.',
  'stacks-copy-open': 'The service {name} has a copy beside it. Confirm the upgrade, cancel it or roll it back first.',
  'stacks-gray-none': 'The service {name} has no gray deployment with a next step',
  'stacks-gray-restarts': 'Taken back in step {step}: the new instances were restarted {count} {count:time|times}',
  'stacks-gray-unready': 'Taken back in step {step}: {count} new {count:instance is|instances are} not ready',

  // Screens
  'stacks-ui-way': 'How it is upgraded',
  'stacks-ui-way-rolling': 'Instance by instance',
  'stacks-ui-way-rolling-about': 'New instances take the place of the old ones, one after another',
  'stacks-ui-way-bluegreen': 'Blue/green',
  'stacks-ui-way-bluegreen-about':
    'A copy runs beside the service without its requests. Once confirmed, all requests go there at once.',
  'stacks-ui-way-gray': 'Gray',
  'stacks-ui-way-gray-about':
    'A copy gets a rising part of the requests. The part is that of the instances: the cluster divides requests evenly among them.',
  'stacks-ui-way-edit': 'At once, without a decision',
  'stacks-ui-way-put': 'Put in place',
  'stacks-ui-way-edit-about': 'There is nothing to confirm. The way back is to return to a revision.',
  'stacks-ui-gray-steps': 'Steps',
  'stacks-ui-gray-step': 'Step {step}',
  'stacks-ui-gray-weight': 'Part in percent',
  'stacks-ui-gray-pause': 'Pause in seconds',
  'stacks-ui-gray-pause-none': 'until somebody goes on',
  'stacks-ui-gray-add': 'Add step',
  'stacks-ui-gray-instances': '{fresh} new, {old} old {old:instance|instances}',
  'stacks-ui-gray-rule-restarts': 'Take it back after so many restarts',
  'stacks-ui-gray-rule-unready': 'Take it back when so many are not ready',
  'stacks-ui-gray-at': 'Step {step} of {all}: {weight} %',
  'stacks-ui-gray-waits': 'waits for somebody to go on',
  'stacks-ui-gray-until': 'goes on {time}',
  'stacks-ui-gray-settling': 'waits until its instances are ready',
  'stacks-ui-gray-go-on': 'Go on to the next step',
  'stacks-ui-copy-at': 'The new version answers at',
  'stacks-ui-gray-taken-back': 'The last gray deployment was taken back',
}
