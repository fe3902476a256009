import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Containers } from '../containers/containers.ts'
import { writeWhole } from '../workspace/workspace.ts'
import { identityOf, send } from './process-tree.ts'
import { systemPath } from './scripts.ts'

/**
 * Steps outlive the agent on purpose. So that none runs for ever if no agent comes back, a shell of one megabyte waits
 * beside it: when the agent has been gone for the time of a lease, its builds belong to others, and it ends their
 * remaining processes.
 *
 * $1 the agent's folder, $2 its pid, $3 its start time, $4 seconds that it may be gone, $5 seconds between two checks,
 * $6 its container engine (empty: none), $7 the label of its containers. Ends when a new agent process takes the
 * folder, as that has its own.
 */
const text = `
began() {
  start=
  read -r stat 2> /dev/null < "/proc/$1/stat" || return 1
  set -- \${stat##*) }
  start=\${20}
}
agent=$1 pid=$2 since=$3 limit=$4 pause=$5 engine=$6 label=$7 gone=0
while [ "$gone" -lt "$limit" ]; do
  sleep "$pause"
  read -r owner 2> /dev/null < "$agent/agent" || exit
  [ "$owner" = "$pid $since" ] || exit
  if began "$pid" && [ "$start" = "$since" ]; then gone=0; else gone=$((gone + pause)); fi
done
for file in "$agent"/builds/*/steps/*/pid "$agent"/net/*/pid; do
  [ -f "$file" ] && [ ! -f "\${file%pid}exit" ] || continue
  read -r boot me < "$file"
  began "\${me%% *}" || continue
  step=\${me%% *} now=$start
  set -- \${me##*) }
  [ "$now" != "\${20}" ] || kill -s KILL -- "-$step"
done
[ -z "$engine" ] || "$engine" ps --all --quiet --filter "label=$label" | xargs -r "$engine" rm --force --volumes
`

/** Starts the watchdog; returns a function that stops it, for an agent that leaves no step behind. */
export function startWatchdog(
  agentDir: string,
  seconds: { gone: number; look: number },
  containers?: Pick<Containers, 'engine' | 'label'>,
): () => void {
  const { pid, startTime } = identityOf('self')
  writeWhole(join(agentDir, 'agent'), `${pid} ${startTime}\n`)
  const numbers = [pid, startTime, seconds.gone, seconds.look].map(String)
  const ofContainers = [containers?.engine.program ?? '', containers?.label ?? '']
  const shell = spawn('/bin/sh', ['-c', text, 'gantry-watchdog', agentDir, ...numbers, ...ofContainers], {
    cwd: '/',
    env: { PATH: systemPath, ...containers?.engine.environment },
    stdio: 'ignore',
    detached: true,
  })
  shell.unref()
  return () => {
    if (shell.pid !== undefined) send(-shell.pid, 'SIGKILL')
  }
}
