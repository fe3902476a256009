import { quoted } from '../executors/scripts.ts'

/** The environment variable that marks a terminal's processes. */
export const cookieOf = (id: string): string => `GANTRY_TERMINAL_ID=${id}`

/** A shell to open; `note` is shown before its first prompt, '' for none. */
export interface Shell {
  id: string
  note: string
}

const becomeShell = `
if command -v bash > /dev/null; then exec bash -i; fi
exec sh -i
`

/** Runs inside the terminal: reads window sizes from descriptor 4, and becomes the command. */
const withSizes = (command: string): string => `
tty=$(tty)
stty echo
(while read -r columns rows <&4; do stty -F "$tty" cols "$columns" rows "$rows"; done) 2> /dev/null &
exec 4<&-
${command}
`

/**
 * Creates a terminal by script(1) of util-linux, for a shell or for another command that becomes one. If script is
 * missing, the shell has only pipes, and says so; then `plain` runs instead.
 */
export const terminalScript = ({ id, note }: Shell, command = becomeShell, plain = 'exec sh -i 2>&1'): string => `
export ${cookieOf(id)} TERM=xterm-256color
${note === '' ? '' : `printf '%s\\r\\n' ${quoted(note)}`}
if script --version 2> /dev/null | grep -q util-linux
then SHELL=/bin/sh exec script -qfec ${quoted(withSizes(command))} /dev/null
fi
printf '%s\\r\\n' 'The machine has no script(1) of util-linux: this shell is no terminal, and full-screen programs do not work in it'
exec 4<&-
${plain}
`

/** Becomes a shell like a step's, where a container engine has created the terminal. $1 the step's environment file. */
export const containerScript = (id: string): string => `
. "$1"
export ${cookieOf(id)} TERM=xterm-256color
umask 022
cd "$GANTRY_WORKSPACE" || exit 121
${becomeShell}`

/** Kills a terminal's processes from inside their container: they outlive the connection to the engine. */
export const killScript = (id: string): string => `
for process in /proc/[0-9]*; do
  [ "$process" != /proc/$$ ] || continue
  grep -q ${cookieOf(id)} "$process/environ" 2> /dev/null && kill -KILL "\${process#/proc/}"
done
exit 0
`
