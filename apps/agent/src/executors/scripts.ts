/**
 * The shell scripts around a step. None of them contains user input: users' values are in files that only the step's
 * own user reads, never in arguments or environment of a process that runs as the agent.
 */

/** How steps are isolated: `root` by users and namespaces, `user` by a user's own namespaces, `none` not at all. */
export type Mode = 'root' | 'user' | 'none'

export const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/**
 * $1 the step's control folder, $2 the files by which a process joins the step's cgroups, then the command. Writes its
 * identity (boot, then its line of /proc: pid and start time) and at the end the exit code. If two run for one step,
 * the second ends: the file is created only once.
 */
export const wrapper = `
set -C
read -r me 2> /dev/null < /proc/self/stat || me="$$ (sh)"
read -r boot 2> /dev/null < /proc/sys/kernel/random/boot_id || boot=none
echo "$boot $me" > "$1/pid" || exit 120
set +C
dir=$1 groups=$2
shift 2
trap : TERM
(
  for group in $groups; do echo 0 > "$group" || exit 121; done
  exec "$@"
)
code=$?
echo "$code" > "$dir/exit"
`

/**
 * $limits are words such as n=65536. Limits that this user may not set stay. For processes some shells use p, others u.
 */
const limit = `
for limit in $limits; do
  case $limit in
    p=*) ulimit -p "\${limit#*=}" 2> /dev/null || ulimit -u "\${limit#*=}" 2> /dev/null || : ;;
    *) ulimit "-\${limit%%=*}" "\${limit#*=}" 2> /dev/null || : ;;
  esac
done
`

/** Creates a user namespace with root as the only user, which is all that an ordinary user can create. */
export const ownNamespace = ['unshare', '--user', '--map-root-user', '--mount', '--propagation', 'private']

/**
 * Runs in the new namespaces, still with the agent's rights. $1 the job's folder, $2 where its fs is shown, $3 the
 * step's number, $4 uid and gid (empty: unchanged), $5 the shell, $6 the ulimits, $7 (of a step that is root of a user
 * namespace) the first subordinate user, or `self` for none. Mounts what the step may see over what it may not, and
 * drops all rights. Every program started here delays every step, so the shell does what it can itself. The user's
 * shell reads the environment and then the script, so that line numbers in its messages are the script's.
 */
export const setup = `
set -e
cd "$1"
shown=$2 step=$3 uid=$4 shell=$5 limits=$6 below=$7
# What fails here is no output of the step: it may name folders of this machine.
exec 3>&2 2> "steps/$step/trouble"
trap 'echo setup > "steps/$step/failed"' EXIT
mount -c -a -T ./mounts
echo 500 > /proc/self/oom_score_adj
${limit}
umask 022
cd "$shown/work"
trap - EXIT
exec 2>&3 3>&-
set +e
here=$shown/steps/$step
set -- "$shell" -e -c '. "$1"; shift; . "$0"' "$here/script" "$here/environment"
if [ "$below" = self ]
then setpriv --no-new-privs --inh-caps=-all --bounding-set=-all ${ownNamespace.join(' ')} "$@"
elif [ -n "$below" ]
then
  # The namespace waits until its users are named, which only the outside may do, and then is the step's own user.
  unshare --user --keep-caps --mount --propagation private /bin/sh -c '
    until read -r _ < /proc/self/gid_map; do sleep 0.01; done
    exec setpriv --reuid 0 --regid 0 --clear-groups --no-new-privs "$@"' sh "$@" &
  namespace=$!
  map() {
    tries=0
    until printf '0 %s 1\n1 %s 65535\n' "$uid" "$below" > "/proc/$namespace/$1"; do
      tries=$((tries + 1))
      [ "$tries" -lt 500 ] || return 1
      sleep 0.01
    done
  }
  { map uid_map && map gid_map || kill -9 "$namespace"; } 2> /dev/null
  wait "$namespace"
elif [ -n "$uid" ]
then setpriv --reuid "$uid" --regid "$uid" --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all "$@"
else setpriv --no-new-privs --inh-caps=-all --bounding-set=-all "$@"
fi
code=$?
exit "$code"
`

/**
 * A shell beside the commands of a running step, in its namespaces and still with the agent's rights. $1 the path at
 * which the job's fs is shown, $2 the step's number, $3 uid and gid (empty: unchanged), $4 the ulimits, $5 the shell,
 * $6 the file of the script. It ends with the process that brought it there.
 */
export const joining = `
shown=$1 step=$2 uid=$3 limits=$4 shell=$5 file=$6
echo 500 > /proc/self/oom_score_adj
${limit}
umask 022
cd "$shown/work" || exit 121
here=$shown/steps/$step
set -- --no-new-privs --inh-caps=-all --bounding-set=-all --pdeathsig KILL "$shell" -c '. "$1"; . "$0"' "$here/$file" "$here/environment"
[ -z "$uid" ] || set -- --reuid "$uid" --regid "$uid" --clear-groups "$@"
exec setpriv "$@"
`

/** $1 the files by which a process joins its cgroups, then the command. */
export const intoGroups = `
for group in $1; do echo 0 > "$group" || exit 121; done
shift
exec "$@"
`

/** The same without namespaces. $1 the job's fs, $2 the step's number, $3 the shell, $4 the ulimits. */
export const bare = `
cd "$1/work" || exit 121
limits=$4
${limit}
umask 022
here=$1/steps/$2
"$3" -e -c '. "$1"; shift; . "$0"' "$here/script" "$here/environment"
code=$?
exit "$code"
`

/** Quotes any text as one word of a shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Checks names again: an assignment is the only place where a name is code. */
export const environmentFile = (environment: { name: string; value: string }[]): string =>
  environment
    .filter(({ name }) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    .map(({ name, value }) => `export ${name}=${quoted(value.replaceAll('\0', ''))}\n`)
    .join('')

const field = (path: string): string =>
  path.replaceAll(/[\\\s]/g, (c) => `\\${c.charCodeAt(0).toString(8).padStart(3, '0')}`)

/**
 * The input of mount(8) in a step's namespace, in this order, relative to the job's folder: a private /tmp, empty
 * folders over the hidden ones (parents first), and the job's own folder on top of them.
 */
export function mounts(given: {
  /** A unique name for the mounts: mount(8) skips what it takes for mounted already. */
  name: string
  shared: string[]
  memory: string[]
  /** The size of each of those, in bytes. */
  memorySize: number
  hidden: string[]
  silenced: string[]
  exposed: string[]
  stepDir: string
  /** The file that steps see as /etc/resolv.conf. */
  resolvConf: string | undefined
  /** The file that steps see as /etc/passwd. */
  passwd: string | undefined
  /** Another workspace than that of the job's folder; mounted before it is hidden. */
  work?: string | undefined
}): string {
  const lines = [
    ...(given.work === undefined ? [] : [`${field(given.work)} fs/work none bind`]),
    ...(given.passwd === undefined ? [] : [`${field(given.passwd)} /etc/passwd none bind,ro`]),
    ...(given.resolvConf === undefined ? [] : [`${field(given.resolvConf)} /etc/resolv.conf none bind,ro`]),
    // exposed folders are bound in the job's folder while the hidden folder around them is covered
    ...given.exposed.map((path, i) => `${field(path)} ./exposed/${i} none bind,ro`),
    ...given.shared.map((path) => `fs/tmp ${field(path)} none bind`),
    ...given.memory.map((path) => `${given.name} ${field(path)} tmpfs mode=1777,nosuid,nodev,size=${given.memorySize}`),
    ...given.hidden.map((path) => `${given.name} ${field(path)} tmpfs mode=0755,nosuid,nodev,size=1m`),
    ...given.silenced.map((path) => `/dev/null ${field(path)} none bind`),
    ...given.exposed.map((path, i) => `./exposed/${i} ${field(path)} none rbind,X-mount.mkdir=0755`),
    // A step may only write below read-only `stepDir`: as an ordinary user it would own that folder, and could replace
    // what is mounted for the next step by a link.
    `fs ${field(given.stepDir)} none bind,ro,X-mount.mkdir=0755`,
    `fs/work ${field(given.stepDir)}/work none bind`,
    `fs/home ${field(given.stepDir)}/home none bind`,
  ]
  return lines.map((line) => `${line} 0 0\n`).join('')
}
