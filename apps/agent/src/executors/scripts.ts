/**
 * The shell texts around a step. None of them takes anything from a user: users' values come in files that only the step's own
 * user reads, never as arguments or environment of a process that runs as the agent.
 */

/** How steps are kept apart: `root` by users and namespaces, `user` by namespaces of an ordinary user, `none` not at all. */
export type Mode = 'root' | 'user' | 'none'

export const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/**
 * $1 the step's control folder, $2 seconds (0: no limit of its own), then the command. Writes who it is (its own line of /proc, which holds the pid and
 * the start time, and the boot) and at the end the exit code. The first of two never loses: the file is made only once.
 */
export const wrapper = `
set -C
read -r me < /proc/self/stat
read -r boot < /proc/sys/kernel/random/boot_id
echo "$boot $me" > "$1/pid" || exit 120
set +C
dir=$1 limit=$2
shift 2
trap : TERM
if [ "$limit" -gt 0 ]; then timeout --foreground -s KILL "$limit" "$@"; else "$@"; fi
code=$?
echo "$code" > "$dir/exit"
`

/**
 * In the new namespaces, still with the agent's rights. $1 the room, $2 where its fs is shown, $3 the step's number, $4 uid
 * (empty: stays), $5 gid, then the folders to hide, parents first. Mounts what the step may see over what it may not, and
 * gives up every right.
 */
export const setup = `
set -e
cd "$1"
trap 'echo setup > "steps/$step/failed"' EXIT
shown=$2 step=$3 uid=$4 gid=$5
shift 5
mount -c --bind fs/tmp /tmp
[ ! -d /var/tmp ] || mount -c --bind fs/tmp /var/tmp
[ ! -d /dev/shm ] || mount -c -t tmpfs -o mode=1777,nosuid,nodev tmpfs /dev/shm
for dir; do
  [ ! -d "$dir" ] || mount -c -t tmpfs -o mode=0755,nosuid,nodev,size=1m tmpfs "$dir"
done
mkdir -p "$shown"
mount -c --bind fs "$shown"
echo 500 > /proc/self/oom_score_adj
ulimit -c 0
ulimit -n 65536 2> /dev/null || :
ulimit -p 8192 2> /dev/null || ulimit -u 8192 2> /dev/null || :
umask 022
cd "$shown/work"
trap - EXIT
set +e
if [ -n "$uid" ]
then setpriv --reuid "$uid" --regid "$gid" --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all sh "$shown/steps/$step/run"
else setpriv --no-new-privs --inh-caps=-all --bounding-set=-all sh "$shown/steps/$step/run"
fi
code=$?
exit "$code"
`

/** One word for a shell, whatever it holds. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/**
 * What the step's own user runs: the environment, then the script in a fresh shell, so that its line numbers are the user's.
 * Names are checked again: an assignment is the one place where a name is code.
 */
export function runFile(
  environment: { name: string; value: string }[],
  shell: 'sh' | 'bash',
  script: string,
  work: string,
): string {
  const exports = environment
    .filter(({ name }) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    .map(({ name, value }) => `export ${name}=${quoted(value.replaceAll('\0', ''))}\n`)
  return `cd ${quoted(work)} || exit 121\n${exports.join('')}exec ${shell} -e ${quoted(script)}\n`
}
