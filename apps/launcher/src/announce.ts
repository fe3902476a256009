import { existsSync, readFileSync } from 'node:fs'
import type { Started } from './product.ts'

/** The lines of a start that went well: where to go, how to log in, where things are. */
export const announcement = ({ folder, url, logs, newPassword }: Started): string => {
  const file = folder.adminPasswordFile
  const login = newPassword
    ? `admin, password ${readFileSync(file, 'utf8').trim()} (shown this once; kept in ${file})`
    : `admin${existsSync(file) ? ` (its first password is in ${file})` : ''}`
  return [
    'Gantry is ready.',
    `  Open    ${url}`,
    `  Log in  ${login}`,
    `  Data    ${folder.root}`,
    ...(logs === undefined ? [] : [`  Logs    ${logs}`]),
    '  Stop    Ctrl+C',
  ].join('\n')
}
