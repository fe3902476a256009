/** Stacks, their services and containers. */
export const en = {
  'permission.stack_stack_view': 'See stacks',
  'permission.stack_stack_create': 'Create stacks',
  'permission.stack_stack_edit': 'Change stacks',
  'permission.stack_stack_delete': 'Delete stacks',
  'permission.stack_service_view': 'See services',
  'permission.stack_service_create': 'Create services',
  'permission.stack_service_edit': 'Change services',
  'permission.stack_service_operate': 'Operate services',
  'permission.stack_service_delete': 'Delete services',
  'permission.stack_container_view': 'See containers',
  'permission.stack_container_execute': 'Open terminals in containers',
  'stacks-name-taken': 'The team has a stack named {name} on this cluster already. Choose another name',
  'stacks-being-deleted': 'The stack {name} is being deleted. Nothing can be changed in it',
  'stacks-service-name-taken': 'The stack {stack} has a service named {name} already. Choose another name',
  'stacks-service-unknown': 'The stack {stack} has no service {service}. Create it first, or choose another',
  'stacks-stack-unknown': 'There is no stack {stack} in this team. Choose another in the step',
  'stacks-changed-meanwhile':
    'The service {service} was changed by somebody else meanwhile. Build again to deploy this image',
  'stacks-specification-needed': 'An upgrade needs the new specification of the service',
  'stacks-nothing-to-return-to': 'The service {name} has nothing to return to: this is its first version',
  'stacks-share-exceeded-cpu':
    'The stack {stack} has a share of {hard} cores, of which {taken} are taken, also by what is still being replaced or deleted; this needs {wanted} more, rolling upgrade included. Free {free} cores, or raise the share of the stack',
  'stacks-share-exceeded-memory':
    'The stack {stack} has a share of {hard} GiB memory, of which {taken} are taken, also by what is still being replaced or deleted; this needs {wanted} more, rolling upgrade included. Free {free} GiB, or raise the share of the stack',
  'stacks-share-below-use-cpu':
    'The services of the stack use up to {taken} cores, more than {hard}; what is still being replaced or deleted counts until it is gone. Scale them down first, or wait for that',
  'stacks-share-below-use-memory':
    'The services of the stack use up to {taken} GiB memory, more than {hard}; what is still being replaced or deleted counts until it is gone. Scale them down first, or wait for that',
  'stacks-share-below-running-cpu':
    'What runs in the stack takes {taken} cores at present, more than {hard}. Free {free} cores first, or wait until what is being stopped has ended',
  'stacks-share-below-running-memory':
    'What runs in the stack takes {taken} GiB memory at present, more than {hard}. Free {free} GiB first, or wait until what is being stopped has ended',
  'stacks-not-now-deploying': 'The service {name} is being deployed. Wait until that is done',
  'stacks-not-now-stable': 'The service {name} is stable: there is nothing to confirm, cancel or roll back',
  'stacks-not-now-upgrading': 'The service {name} is being upgraded. Wait until it is ready, or cancel the upgrade',
  'stacks-not-now-upgraded': 'The upgrade of {name} waits for a decision. Confirm it or roll it back first',
  'stacks-not-now-cancelling': 'The upgrade of {name} is being cancelled. Wait until that is done',
  'stacks-not-now-rolling-back': 'The service {name} is being rolled back. Wait until that is done',
  'stacks-not-now-failed': 'The service {name} has failed. Cancel its upgrade, upgrade it again, or delete it',
  'stacks-not-now-deleting': 'The service {name} is being deleted',
  'stacks-image-missing':
    'The image {image} does not exist, or its name is wrong. Check the name, the tag and the registry: {reason}',
  'stacks-image-refused':
    'The image {image} cannot be pulled. Check that the cluster reaches the registry and that the password is right: {reason}',
  'stacks-crashes':
    'The pod {pod} has crashed {count} times (exit code {code}). Read the log of its previous container',
  'stacks-config-error': 'The container cannot be made: {reason}. Check its variables and command',
  'stacks-cannot-start': 'The cluster refuses the pods: {reason}',
  'stacks-not-ready-in-time':
    'The service did not become ready in time. Check its log and its readiness rule. {reason}',
  'stacks-unschedulable': 'No node takes the pod: {reason}',
  'agents-no-image-to-deploy':
    'The build has made no image that could be deployed. Put an image step before the deploy step, or name the right one ({step})',
  'stacks-no-previous-log': 'The container has not run before: there is no previous log',
  'stacks-log-not-yet': 'The container has not started yet, so it has no log. See the events of the service',
} as const
