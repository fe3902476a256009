import type { FileEntry } from '@gantry/contract/stacks/containers/files'

const kinds: Record<string, FileEntry['kind']> = { '-': 'file', d: 'folder', l: 'link', b: 'device', c: 'device' }

/** A row of `ls -lnA --full-time`, as written by coreutils and busybox; a device has its numbers in place of a size. */
const row =
  /^([-dlbcps])([-rwxsStT]{9})[.+@]?\s+\d+\s+\d+\s+\d+\s+(?:(\d+)|\d+,\s*\d+)\s(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.\d+)? ([+-]\d\d)(\d\d) (.*)$/s

export interface Listed extends FileEntry {
  folder: string
}

const arrow = ' -> '

function entryOf(line: string, folder: string): Listed | undefined {
  const [, type = '', mode = '', size = '0', day = '', time = '', hours = '', minutes = '', rest = ''] =
    row.exec(line) ?? []
  if (type === '') return undefined
  const kind = kinds[type] ?? 'other'
  const at = kind === 'link' ? rest.indexOf(arrow) : -1
  const [name, target] = at < 0 ? [rest, ''] : [rest.slice(0, at), rest.slice(at + arrow.length)]
  const when = new Date(`${day}T${time}${hours}:${minutes}`)
  const changedAt = Number.isNaN(when.getTime()) ? '' : when.toISOString()
  return { folder, name, kind, size: Number(size), mode, changedAt, target }
}

/**
 * The entries that `ls` lists of a folder, with `-R` also of the folders below. A name may contain anything but a
 * slash: if it continues on another line, that is a part of the name.
 */
export function listingOf(text: string, top: string): Listed[] {
  const found: Listed[] = []
  let folder = top
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const entry = entryOf(line, folder)
    const last = found.at(-1)
    if (entry) found.push(entry)
    else if (/^total \d+$/.test(line)) continue
    else if (line.startsWith('/') && line.endsWith(':')) folder = line.slice(0, -1)
    else if (line !== '' && last) {
      if (last.target === '') last.name += `\n${line}`
      else last.target += `\n${line}`
    }
  }
  return found
}
