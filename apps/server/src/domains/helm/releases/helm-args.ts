import { Fault } from '../../../kernel/fault.ts'

/** Revisions that helm keeps per release. */
const history = ['--history-max', '10']
/** Time limit of hooks; that of the program itself is longer. */
const patience = ['--timeout', '5m0s']

interface Place {
  name: string
  namespace: string
}

/** Names begin with a letter or digit, so none of them is read as an option. */
export const deployArgs = ({ name, namespace }: Place): string[] => [
  'upgrade',
  name,
  'chart.tgz',
  '--install',
  '--namespace',
  namespace,
  '--values',
  'values.yaml',
  '--reset-values',
  ...history,
  ...patience,
]

/** Renders against the cluster, with JSON output; nothing is stored. */
export const dryRunArgs = (place: Place): string[] => [...deployArgs(place), '--dry-run=server', '--output', 'json']

/** Renders without the cluster, as YAML including hooks. */
export const templateArgs = ({ name, namespace }: Place): string[] => [
  'template',
  name,
  'chart.tgz',
  '--namespace',
  namespace,
  '--values',
  'values.yaml',
]

export const rollbackArgs = ({ name, namespace }: Place, revision: number): string[] => [
  'rollback',
  name,
  String(revision),
  '--namespace',
  namespace,
  ...history,
  ...patience,
]

export const uninstallArgs = ({ name, namespace }: Place): string[] => [
  'uninstall',
  name,
  '--ignore-not-found',
  '--namespace',
  namespace,
  ...patience,
]

const maxWords = 1_000

/** Helm's last lines as a fault: they name the object and the problem. */
export function helmFault({ code, stderr }: { code: number | null; stderr: string }): Fault {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !/^(WARNING|[WIE]\d{4} )/.test(line))
  const words = lines
    .join(' ')
    .replace(/^Error: /, '')
    .slice(0, maxWords)
  return code === null || words === ''
    ? new Fault('unavailable', 'helm-killed')
    : new Fault('invalid', 'helm-refused', { message: words })
}
