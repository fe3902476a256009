/** The guided first minute: the sample service that the product makes. */
export const en = {
  'sample-no-sandbox':
    'The sample runs in the sandbox, which is off here. Start with GANTRY_SANDBOX=on, or build a pipeline of your own',
  'sample-none': 'This team has no sample. Make it first',
  'sample-no-service': 'The sample’s service does not run yet. Wait for its build',
  'sample-being-removed': 'The sample is being deleted. Wait until it is gone, then make it again',
  'sample-incomplete': 'Parts of the sample were deleted. Make it again, which brings back what is missing',
  'sample-build-running': 'Build #{number} of the sample still runs. Wait for its end',
  'sample-decide-first':
    'The last change of {service} waits for a decision. Confirm it or roll it back, then make another change',
  'sample-waits-for-build': 'waits for the end of build #{number}',
  'sample-waits-for-stack': 'waits for the cluster to clear the stack {name}',
  'sample-repository-password': 'This repository opens with its own password, which its pipeline has',
  'sample-description': 'Made by the guided first minute; delete it whenever you like',
  'sample-commit-first': 'A service that says hello',
  'sample-commit-change': 'Say hello from {version}',
  'sample-stage-test': 'Test',
  'sample-stage-package': 'Package',
  'sample-stage-ship': 'Ship',
  'sample-step-checkout': 'check out',
  'sample-step-test': 'run the tests',
  'sample-step-report': 'publish the report',
  'sample-step-image': 'make the image',
  'sample-step-deploy': 'deploy',
  'sample-no-node': 'Builds find no Node.js 20 or newer on this machine: the tests are skipped.',
} as const
