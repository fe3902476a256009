/** Chart repositories, charts and releases. */
export const en = {
  // Refusals: repositories
  'helm-url-format':
    'Enter the address of a chart repository: https://host/path, or oci://host/path for charts in a registry.',
  'helm-ca-invalid': 'The certificate authority must be PEM text that begins with -----BEGIN CERTIFICATE-----.',
  'helm-repository-name-taken': 'A chart repository named {name} already exists. Choose another name.',
  'helm-repository-changed': 'Somebody else changed the repository {name} meanwhile. Open it again.',
  'helm-repository-in-use': 'These releases come from the repository {name}: {releases}. Delete them first.',
  'helm-team-unknown': 'One of the teams no longer exists. Load the page again.',
  'helm-password-needed': '{host} requires a username and password. Enter them.',
  'helm-wrong-password': '{host} rejected the username or password. Check them.',
  'helm-not-there': 'There is nothing at {url}. Check the address: an index.yaml must be right below it.',
  'helm-index-invalid': 'The index of {name} is not a valid chart index, or is too complex. Check the address.',
  'helm-index-too-many':
    'The index of {name} is too large: at most {charts} charts and {versions} versions are read. Use a smaller repository.',

  // Refusals: charts
  'helm-chart-name': 'This is not a valid chart name. It consists of letters, digits, dots, dashes and underscores.',
  'helm-chart-version': 'This is not a valid version. It should look like 1.2.3.',
  'helm-version-missing':
    'The repository has no version {version} of {chart}. An administrator can read the repository again.',
  'helm-chart-library': '{chart} is a library for other charts. It cannot be deployed by itself.',
  'helm-archive-invalid': 'The archive of the chart is broken. Ask whoever publishes it.',
  'helm-archive-too-large':
    'The archive of the chart is too large: at most {limit} MB and {files} files are unpacked. Ask whoever publishes it.',
  'helm-archive-links': 'The archive of the chart contains links, which are not followed. Ask whoever publishes it.',
  'helm-archive-digest':
    '{name} delivered another archive than its index names. Ask whoever publishes it, or read the repository again.',

  // Screens: repositories
  'helm-ui-repositories-about': 'Where teams get charts from: indexes behind http, and registries with OCI artifacts',
  'helm-ui-add': 'Add repository',
  'helm-ui-edit': 'Edit {name}',
  'helm-ui-name': 'Name',
  'helm-ui-url': 'Address',
  'helm-ui-url-help':
    'The folder of the index.yaml, for example https://charts.example.org, or oci://registry.example.org/charts. A registry without encryption begins with oci+http:// instead.',
  'helm-ui-username': 'Username',
  'helm-ui-password': 'Password',
  'helm-ui-ca': 'Certificate authority',
  'helm-ui-ca-help': 'PEM, if the certificate of the repository is signed by an authority of your own',
  'helm-ui-teams': 'Teams',
  'helm-ui-teams-of': 'Teams of {name}',
  'helm-ui-teams-help': 'These teams can deploy charts from the repository.',
  'helm-ui-teams-none': 'No team',
  'helm-ui-assign': 'Assign teams',
  'helm-ui-charts': 'Charts',
  'helm-ui-versions': 'Versions',
  'helm-ui-read': 'Read',
  'helm-ui-state': 'State',
  'helm-ui-read-all': 'Read all again',
  'helm-ui-read-all-done': 'All repositories were read.',
  'helm-ui-read-all-failed': 'These repositories could not be read: {names}',
  'helm-ui-state-ready': 'ready',
  'helm-ui-state-failed': 'not readable',
  'helm-ui-delete-title': 'Delete the repository {name}?',
  'helm-ui-goes-index': 'The list of its charts; nothing is deleted in the repository itself',
  'helm-ui-search': 'Search name or address',
  'helm-ui-none': 'No chart repositories yet',
  'helm-ui-none-memo': 'Add one and assign teams, and they can deploy its charts.',

  // Screens: charts
  'helm-ui-repository': 'Repository',
  'helm-ui-chart': 'Chart',
  'helm-ui-version': 'Version',
  'helm-ui-app-version': 'Version of the application',
  'helm-ui-description': 'Description',
  'helm-ui-deprecated': 'deprecated',
  'helm-ui-search-charts': 'Search name or description',
  'helm-ui-no-repositories': 'No chart repository is assigned to this team',
  'helm-ui-no-repositories-memo': 'An administrator adds repositories and assigns teams under Helm repositories.',
  'helm-ui-no-charts': 'No charts found',
  'helm-ui-no-charts-memo': 'The repository has none, or none that matches.',
  'helm-ui-readme': 'Readme',
  'helm-ui-no-readme': 'The chart has no readme.',
  'helm-ui-default-values': 'Default values',
  'helm-ui-home': 'Home page',
  'helm-ui-dependencies': 'Contains',
  'helm-ui-stale': 'The repository could not be read the last time. These are the charts that were read before.',

  'helm-missing': 'The helm program is missing on this server. Install helm 3 there, or name it in GANTRY_HELM.',
  'helm-limits': 'helm took more time, memory or output than it may. Deploy a smaller chart.',

  // Refusals: releases
  'helm-values-too-long': 'The values are too long: at most 256 kB.',
  'helm-values-invalid': 'The values do not fit the chart. Line {line}, column {column}: {problem}',
  'helm-manifest-too-large': 'The chart renders more than 4 MB of objects. Deploy a smaller chart.',
  'helm-manifest-invalid': 'The chart renders invalid YAML: {problem}',
  'helm-refused': 'helm reports: {message}',
  'helm-share-exceeded':
    'The release {name} does not fit into the share of the stack {stack}: {over}. Lower its limits or replicas, free as much in the stack, or raise the share of the stack.',
  'helm-over-cpu': '{free} {free:core|cores} of CPU too many ({after} of {hard})',
  'helm-over-memory': '{free} GiB of memory too much ({after} of {hard})',
  'helm-short':
    'helm has created all objects, but the cluster refuses pods of {objects}: {message}. Lower limits or replicas, free as much in the stack, or raise the share of the stack. Then deploy the release again.',
  'helm-killed': 'helm was ended before it was done. It is tried again.',
  'helm-pending':
    'The release {name} was left in the state {status} by a helm that was ended. Roll it back to a revision of its history, or delete it.',
  'helm-needs-admin': 'Only an administrator can deploy these objects: {objects}',
  'helm-changed-meanwhile':
    'Someone else has changed the release {name} in the meantime. Start a new build to deploy it again.',
  'helm-release-busy': 'The release {name} is being worked on. Wait until that is done.',
  'helm-stack-not-ready': 'The stack {name} is not ready yet. Wait until its namespace exists.',
  'helm-revision-missing': 'The history of {name} has no revision {revision}. Load the page again.',
  'helm-cluster-rights':
    'The account of the platform in this cluster may not give teams what charts need: service accounts, ingresses, autoscalers and limit ranges. An administrator can apply its current rights from the manual.',
} as const
