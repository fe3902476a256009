import { quoted } from '../executors/scripts.ts'

/** The environment variable that marks a terminal's processes. */
export const cookieOf = (id: string): string => `GANTRY_TERMINAL_ID=${id}`

/** Runs inside the terminal: reads window sizes from descriptor 4, and becomes the shell. */
const innerScript = `
tty=$(tty)
stty echo
(while read -r columns rows <&4; do stty -F "$tty" cols "$columns" rows "$rows"; done) 2> /dev/null &
exec 4<&-
if command -v bash > /dev/null; then exec bash -i; fi
exec sh -i
`

/** Creates a terminal by script(1) of util-linux. If that is missing, the shell has only pipes, and says so. */
export const terminalScript = (id: string, beginning: string): string => `
export ${cookieOf(id)} TERM=xterm-256color
${beginning === '' ? '' : `printf '%s\\r\\n' ${quoted(beginning)}`}
if script --version 2> /dev/null | grep -q util-linux
then SHELL=/bin/sh exec script -qfec ${quoted(innerScript)} /dev/null
fi
printf '%s\\r\\n' 'The machine has no script(1) of util-linux: this shell is no terminal, and full-screen programs do not work in it'
exec 4<&-
exec sh -i 2>&1
`
