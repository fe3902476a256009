/** Where a step's container sees the job's files, and the pipes that control it. */
export const shownInside = '/gantry'
export const controlDir = `${shownInside}/control`

/** The pipes in `control`: commands for the container, their ends, and their output. */
export const pipes = { next: 'next', said: 'said', out: 'out' } as const

/**
 * The first process of a container for commands: runs one command after another, ends all processes that it has
 * started, and reports its end. A line of `next` is `run <number> <step> <shell>`, `TERM` or `KILL`; a line of `said`
 * is `<number> <exit code> <processes killed for memory meanwhile>`, or `<number> none` if the shell is missing. No
 * line contains user input: scripts and values are files.
 *
 * A signal to -1 reaches every process of the container except this one and the sender.
 */
export const runner = `
control=${controlDir}
until [ -p "$control/${pipes.next}" ] && [ -p "$control/${pipes.out}" ]; do sleep 0.05 2> /dev/null || sleep 1; done
killed() {
  for file in /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control; do
    [ -r "$file" ] || continue
    while read -r key count; do
      [ "$key" != oom_kill ] || { echo "$count"; return; }
    done < "$file"
  done
  echo 0
}
trap 'exit 143' TERM
exec 3<> "$control/${pipes.next}" 4<> "$control/${pipes.said}" 5<> "$control/${pipes.out}"
running=
while read -r word number step shell <&3; do
  case $word in
    run)
      running=$number
      if ! command -v "$shell" > /dev/null; then echo "$number none" >&4; continue; fi
      (
        trap : TERM
        before=$(killed)
        here=${shownInside}/steps/$step
        (
          umask 022
          exec "$shell" -e -c '. "$1"; shift; . "$0"' "$here/script" "$here/environment"
        ) < /dev/null >&5 2>&1 3<&- 4<&- 5<&-
        code=$?
        kill -KILL -1 2> /dev/null
        echo "$number $code $(($(killed) - before))" >&4
      ) &
      ;;
    TERM) kill -TERM -1 2> /dev/null ;;
    KILL)
      kill -KILL -1 2> /dev/null
      wait
      echo "$running 137 0" >&4
      ;;
  esac
done
`
