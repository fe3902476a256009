/**
 * The shell texts around a step. None of them takes anything from a user: users' values come in files that only the step's own
 * user reads, never as arguments or environment of a process that runs as the agent.
 */

/** How steps are kept apart: `root` by users and namespaces, `user` by namespaces of an ordinary user, `none` not at all. */
export type Mode = 'root' | 'user' | 'none'

export const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/**
 * $1 the step's control folder, $2 the files by which a process enters the step's cgroups, then the command. Writes who it is (its own line of /proc, which holds the pid and the start
 * time, after the boot) and at the end the exit code. Of two for one step the second one goes: the file is made only once.
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
 * $limits are words such as n=65536. What this user may not set stays as it is. Processes are p to some shells and u to others.
 */
const limit = `
for limit in $limits; do
  case $limit in
    p=*) ulimit -p "\${limit#*=}" 2> /dev/null || ulimit -u "\${limit#*=}" 2> /dev/null || : ;;
    *) ulimit "-\${limit%%=*}" "\${limit#*=}" 2> /dev/null || : ;;
  esac
done
`

/** Root of a user namespace that has no other user: all that an ordinary user can make. */
export const ownNamespace = ['unshare', '--user', '--map-root-user', '--mount', '--propagation', 'private']

/**
 * In the new namespaces, still with the agent's rights. $1 the room, $2 where its fs is shown, $3 the step's number, $4 uid and
 * gid (empty: stays), $5 the shell, $6 what it may have of each of ulimit's kinds, $7 (of a step that is root of a user namespace) the first of the users below it, or
 * `self` for none. Mounts what the step may see over what it may not, and gives up every right. Each program
 * that is started here is felt in every step: what can be done by the shell itself is. The user's shell reads the environment and
 * then the script itself, so that line numbers in its messages are the script's.
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
 * A shell beside the commands of a step that runs, in its namespaces and still with the agent's rights. $1 where the room's
 * fs is shown, $2 the step's number, $3 uid and gid (empty: stays), $4 what it may have, $5 the shell, $6 the file of what it
 * runs. It ends with the process that has brought it in.
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

/** $1 the files by which a process enters its cgroups, then the command. */
export const intoGroups = `
for group in $1; do echo 0 > "$group" || exit 121; done
shift
exec "$@"
`

/** The same without namespaces. $1 the room's fs, $2 the step's number, $3 the shell, $4 the limits. */
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

/** One word for a shell, whatever it holds. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Names are checked again: an assignment is the one place where a name is code. */
export const environmentFile = (environment: { name: string; value: string }[]): string =>
  environment
    .filter(({ name }) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    .map(({ name, value }) => `export ${name}=${quoted(value.replaceAll('\0', ''))}\n`)
    .join('')

const field = (path: string): string =>
  path.replaceAll(/[\\\s]/g, (c) => `\\${c.charCodeAt(0).toString(8).padStart(3, '0')}`)

/**
 * What mount(8) is to mount in a step's namespace, in this order, relative to the room: a private /tmp, empty folders over what
 * is hidden (parents first), and the build's own folder on top of them.
 */
export function mounts(given: {
  /** A name of its own for what is mounted: mount(8) passes over what it takes for mounted already. */
  name: string
  shared: string[]
  memory: string[]
  /** Of each of those, in bytes. */
  memorySize: number
  hidden: string[]
  silenced: string[]
  exposed: string[]
  shown: string
  /** What steps see as /etc/resolv.conf. */
  resolvConf: string | undefined
  /** What steps see as /etc/passwd. */
  passwd: string | undefined
  /** Elsewhere than in the room, before that is covered. */
  work?: string | undefined
}): string {
  const lines = [
    ...(given.work === undefined ? [] : [`${field(given.work)} fs/work none bind`]),
    ...(given.passwd === undefined ? [] : [`${field(given.passwd)} /etc/passwd none bind,ro`]),
    ...(given.resolvConf === undefined ? [] : [`${field(given.resolvConf)} /etc/resolv.conf none bind,ro`]),
    // What is shown inside a hidden folder is held in the room while the folder is covered.
    ...given.exposed.map((path, i) => `${field(path)} ./exposed/${i} none bind,ro`),
    ...given.shared.map((path) => `fs/tmp ${field(path)} none bind`),
    ...given.memory.map((path) => `${given.name} ${field(path)} tmpfs mode=1777,nosuid,nodev,size=${given.memorySize}`),
    ...given.hidden.map((path) => `${given.name} ${field(path)} tmpfs mode=0755,nosuid,nodev,size=1m`),
    ...given.silenced.map((path) => `/dev/null ${field(path)} none bind`),
    ...given.exposed.map((path, i) => `./exposed/${i} ${field(path)} none rbind,X-mount.mkdir=0755`),
    // Where a step may write is apart from the folder that names it: as an ordinary user it would own that, and could put a
    // link in the place of what is mounted for the next step.
    `fs ${field(given.shown)} none bind,ro,X-mount.mkdir=0755`,
    `fs/work ${field(given.shown)}/work none bind`,
    `fs/home ${field(given.shown)}/home none bind`,
  ]
  return lines.map((line) => `${line} 0 0\n`).join('')
}
