/** The screen of build agents. */
export const en = {
  'agents-ui-about': 'Agents take waiting builds and run their steps.',
  'agents-ui-name': 'Name',
  'agents-ui-embedded': '{name} (part of this server)',
  'agents-ui-state': 'State',
  'agents-ui-running': 'Builds / places',
  'agents-ui-labels': 'Labels',
  'agents-ui-system': 'System',
  'agents-ui-executors': 'Runs steps in',
  'agents-ui-executor-process': 'processes',
  'agents-ui-executor-container': 'containers',
  'agents-ui-executor-kubernetes': 'Kubernetes',
  'agents-ui-isolation': 'Isolation',
  'agents-ui-isolated': 'isolated',
  'agents-ui-bare': 'not isolated',
  'agents-ui-bare-memo': 'Steps share the machine’s processes and files. It takes builds of administrators only',
  'agents-ui-version': 'Version',
  'agents-ui-seen': 'Last heard of',
  'agents-ui-none': 'No build agents',
  'agents-ui-none-memo':
    'Without an agent every build waits. On one machine the server brings its own: set GANTRY_EMBEDDED_AGENT=on and start it again.',
  'state-never': 'never seen',
} as const
