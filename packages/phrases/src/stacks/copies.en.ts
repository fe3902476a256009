/** Upgrades by a copy beside the service. */
export const en = {
  // Rules of the contract
  'gray-weight': 'Enter a whole percentage from 0 to 100',
  'gray-weight-none': 'Enter a percentage from 1, or name a header whose requests go to the new version',
  'gray-header-name': 'Enter the name of a header: letters, digits and hyphens, at most 64',
  'gray-header-value': 'Enter the value of the header: visible ASCII characters, at most 256',
  'gray-header-by': 'A header is told apart only where requests are divided. Divide requests, or leave the header out.',
  'gray-pause': 'Enter a whole number of seconds from 1 to 604,800, or leave it out to wait for somebody',
  'gray-rule': 'Enter a whole number from 1 to 1,000, or leave it out',
  'gray-rule-failed': 'Enter a whole percentage from 0 to 99, or leave it out',
  'gray-rule-failed-by':
    'Requests are counted only where requests are divided. Divide requests, or leave the part of failed requests out.',
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
  'stacks-gray-cpu': 'Taken back in step {step}: a new instance uses {percent} % of its CPU limit, more than {above} %',
  'stacks-gray-memory':
    'Taken back in step {step}: a new instance uses {percent} % of its memory limit, more than {above} %',
  'stacks-gray-failed':
    'Taken back in step {step}: {failed} of {answered} requests to the new version failed, more than {above} %',
  'stacks-gray-way': 'Taken back in step {step}: the way in {way} was not taken up by its controller',
  'stacks-gray-no-ways':
    'No load balancer and no ingress of the stack {stack} leads to {name}, so there are no requests from outside to divide. Add one, or divide instances.',
  'stacks-gray-ways-cannot':
    'The ways in to {name} ({ways}) cannot divide requests: this takes HTTP by the Gateway API, or by ingress-nginx. The cluster has {groups}. Divide instances, or ask an administrator for a group by the Gateway API.',

  // Screens
  'stacks-ui-way': 'How it is upgraded',
  'stacks-ui-way-rolling': 'Instance by instance',
  'stacks-ui-way-rolling-about': 'New instances take the place of the old ones, one after another',
  'stacks-ui-way-bluegreen': 'Blue/green',
  'stacks-ui-way-bluegreen-about':
    'A copy runs beside the service without its requests. Once confirmed, all requests go there at once.',
  'stacks-ui-way-gray': 'Gray',
  'stacks-ui-way-gray-about': 'A copy gets a rising part of the requests, step by step',
  'stacks-ui-gray-by': 'What is divided',
  'stacks-ui-gray-by-instances': 'Instances',
  'stacks-ui-gray-by-instances-about':
    'The part is that of the instances: the cluster divides requests evenly among them',
  'stacks-ui-gray-by-requests': 'Requests from outside',
  'stacks-ui-gray-by-requests-about':
    'The part is that of the requests that come in by {ways}. What asks from within the cluster goes to the old version until you confirm.',
  'stacks-ui-gray-header-name': 'Header of requests that always go to the new version',
  'stacks-ui-gray-header-value': 'Its value',
  'stacks-ui-gray-header': 'and all requests with {name}: {value}',
  'stacks-ui-gray-rule-cpu_percent': 'Take it back above so many percent of the CPU limit',
  'stacks-ui-gray-rule-memory_percent': 'Take it back above so many percent of the memory limit',
  'stacks-ui-gray-rule-failed': 'Take it back when more than so many percent of its requests fail',
  'stacks-ui-gray-rule-failed-about':
    'Of requests from outside, with a status of 5xx, from {least} requests in a step on',
  'stacks-ui-gray-rule-uncounted': 'Requests are not counted now, so that the other rules decide:',
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
