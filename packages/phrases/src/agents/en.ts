/** Build agents: refusals of their protocol, and their screen. */
export const en = {
  // Refusals of the server to agents
  'agents-attempt-over': 'This attempt is over: the build was given to another agent, or has ended',
  'agents-step-foreign':
    'Step {step} is not one of job {job}: an agent reports only on the steps of the job that it holds',
  'agents-event-gap': 'Events are missing: expected number {expected}, received {got}',
  'agents-step-state': 'The step {step} cannot change from {from} to {to}',
  'agents-log-incomplete': 'The log of step {step} is incomplete: {stored} of {bytes} bytes',
  'agents-log-gap': 'Part of the log is missing: continue at byte {expected}, not {got}',
  'agents-lost':
    'The agent {agent} lost contact during the build, after {attempts} {attempts:attempt|attempts}. Check that the agent is running and can reach the server, then start the build again.',
  'agents-lost-again': 'The agent {agent} lost contact during this attempt; the job was queued again',
  'kept-places': 'Reserve between 0 and 100 slots for other teams',
  'agents-no-image-to-deploy':
    'The build has no image to deploy. Add an image step before the deploy step, or choose the right image step in it ({step}).',

  // Registration and settings
  'agents-label': 'A label has letters, digits and - _ . = with a letter or digit at both ends',
  'agents-capacity': 'An agent has between 1 and 100 slots',
  'agents-credential':
    'An agent’s credential is ga_ and 43 random characters. Start the agent anew, so that it makes one.',
  'agents-name-taken': 'There is already a build agent {name}. Choose another name.',
  'agents-team-missing': 'There is no such team. Choose one of the list.',
  'agents-environment-missing': 'There is no such cluster. Choose one of the list.',
  'agents-changed': 'Somebody changed {name} meanwhile. Read it again, then make your change.',
  'agents-remove-embedded':
    '{name} is part of this server and would come back with its next start. Set GANTRY_EMBEDDED_AGENT=off and restart, then remove it.',
  'agents-renew-embedded': '{name} is part of this server, which gives it its credential. It needs no token.',
  'agents-remove-busy': '{name} runs builds: {builds}. Pause it and wait for them, or stop them, then remove it.',
  'agents-clean-old': 'The program of {name} is too old to clean by itself. Update the agent, then clean it.',
  'agents-token-unknown':
    'This token is not known. Have an administrator answer a new one under Build agents, and start the agent with it.',
  'agents-token-used':
    'The token of {name} has been used. If this is another machine, add another agent; if the agent lost its credential, have an administrator answer a new token.',
  'agents-token-over': 'The token of {name} has expired. Have an administrator answer a new one under Build agents.',
  'agents-file-missing':
    'The program of the build agent is missing on the server. Build it with npx vite build apps/agent --mode build, or set GANTRY_BUILD_AGENT.',

  // Their screen
  'agents-ui-about': 'Build agents take builds from the queue and run their steps',
  'agents-ui-name': 'Name',
  'agents-ui-embedded': '{name} (part of this server)',
  'agents-ui-state': 'State',
  'agents-ui-running': 'Builds / slots',
  'agents-ui-labels': 'Labels',
  'agents-ui-system': 'Operating system',
  'agents-ui-executors': 'Runs steps in',
  'agents-ui-executor-process': 'processes',
  'agents-ui-executor-container': 'containers',
  'agents-ui-executor-kubernetes': 'Kubernetes',
  'agents-ui-waits':
    'No room for another job in its cluster: {why}. Jobs wait until there is; raise the quota of its namespace, or wait for others to end.',
  'agents-ui-isolation': 'Isolation',
  'agents-ui-isolated': 'isolated',
  'agents-ui-bare': 'not isolated',
  'agents-ui-bare-memo':
    'Steps can see the machine’s processes and files, so this agent only takes administrators’ builds',
  'agents-ui-version': 'Version',
  'agents-ui-seen': 'Last contact',
  'agents-ui-none': 'No build agents',
  'agents-ui-none-memo':
    'Without an agent, every build waits. Add one on a machine of yours, or use the server’s own: set GANTRY_EMBEDDED_AGENT=on and restart.',
  'state-never': 'never seen',
  'agents-ui-kept-places': 'Slots reserved for other teams',
  'agents-ui-kept-places-help':
    'On each agent that several teams have used within the last hour, one team can use all slots except these. A team that is alone on an agent can use every slot; 0 reserves none. Running builds are never ended to free a slot.',
  'agents-protocol':
    'This server speaks version {server} of the agent protocol, and the agent version {agent}. Update the older of the two.',
}
